// The report of a publisher on its negotiation.

#include <algorithm>

#include "msg/std_msgs/string.hpp"
#include "negotiation/explanation.hpp"
#include "negotiation/publisher_core.hpp"

namespace caribou::negotiation {
namespace {

bool contains(const std::vector<std::size_t>& places, std::size_t place) {
    return std::ranges::find(places, place) != places.end();
}

}  // namespace

NegotiationReport PublisherCore::report() const {
    const ChoiceProblem& problem = market.problem();
    NegotiationReport told{.topic = base,
                           .is_started = is_started(),
                           .success = result.success,
                           .weight = choice_.weight,
                           .at_least = choice_.at_least,
                           .is_proven = choice_.is_proven,
                           .is_kept = choice_.is_kept,
                           .is_switching = outlets.is_switching(),
                           .negotiations = count.negotiations,
                           .results_sent = count.results_sent,
                           .switches = count.switches};
    for (std::size_t i = 0; i < problem.offers.size(); ++i) told.offers.push_back(line_of(i));
    for (std::size_t i = 0; i < problem.demands.size(); ++i) told.demands.push_back(demand_line(i));
    for (const auto& outlet : outlets.all()) {
        told.sent += outlet->count.sent;
        told.spared += outlet->count.spared;
    }

    // The current choice with current indices: offers may have moved since it was made.
    Choice present{.success = result.success, .weight = choice_.weight, .unserved = choice_.unserved};
    for (const std::size_t place : told_offers())
        if (!problem.offers[place].is_compatible) present.published.push_back(place);
    if (!present.success) return told;
    const Explanation why = explain(problem, present, options.budget);
    for (const Reason& reason : why.reasons)
        if (reason.only_for) told.offers[reason.offer].only_for = problem.demands[*reason.only_for].who;
    if (why.runner_up) {
        told.runner_up = data::TopicRunnerUp{.types = {},
                                             .more_types = why.runner_up->more_types,
                                             .less_weight = why.runner_up->less_weight,
                                             .is_proven = why.runner_up->is_proven};
        for (const std::size_t offer : why.runner_up->published)
            told.runner_up->types.push_back(reported(problem.offers[offer].key));
    }
    return told;
}

data::TopicOffer PublisherCore::line_of(std::size_t offer) const {
    const ChoiceProblem& problem = market.problem();
    const Offer& offered = problem.offers[offer];
    data::TopicOffer line{.type = reported(offered.key),
                          .weight = offered.weight,
                          .is_compatible = offered.is_compatible,
                          .is_usable = offered.is_usable,
                          .is_chosen = contains(told_offers(), offer),
                          .total_weight = weight_of(problem, offer)};
    line.listed_by = static_cast<std::size_t>(
        std::ranges::count_if(problem.demands, [&](const Demand& demand) { return demand.lists(offer); }));
    for (const auto& outlet : outlets.all()) {
        if (outlet->key != offered.key) continue;
        line.readers = outlet->readers.size();
        line.sent = outlet->count.sent;
        line.spared = outlet->count.spared;
    }
    return line;
}

data::TopicDemand PublisherCore::demand_line(std::size_t demand) const {
    const Market::Listed& listed = market.lists()[demand];
    data::TopicDemand line{.who = listed.from.name, .wants = {}, .served_by = {}, .refused = listed.refused};
    for (const auto& type : listed.types) {
        const TypeKey key{type.ros_type_name, type.supported_type_name};
        line.wants.push_back({reported(key), type.weight, market.find(key) != nullptr});
    }
    const std::vector<std::size_t> chosen = told_offers();
    for (const Want& want : market.problem().demands[demand].wants)
        if (contains(chosen, want.offer))
            line.served_by.push_back(reported(market.problem().offers[want.offer].key));
    if (const auto unserved = unserved_.find(listed.from.id); unserved != unserved_.end())
        line.unserved = sentence_of(unserved->second, choice_.at_least, options.maximum_solutions);
    return line;
}

void PublisherCore::ReportReaders::on_reader_joined(const Peer&) {
    ++count;
    core_.report_timer_->arm(std::max(core_.loop_.clock().now(), core_.next_report_));
}

void PublisherCore::ReportReaders::on_reader_gone(const Peer&) { count -= std::min<std::size_t>(count, 1); }

void PublisherCore::send_report() {
    next_report_ = loop_.clock().now() + options.limits.report_interval;
    const auto message =
        std::make_shared<const msg::std_msgs::String>(msg::std_msgs::String{data::to_json(report())});
    static_cast<void>(
        reports_->write(make_sample(message, loop_.clock().wall())));  // the next report repeats it
}

}  // namespace caribou::negotiation
