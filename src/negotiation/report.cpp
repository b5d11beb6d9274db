#include "negotiation/report.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace caribou::negotiation {
namespace {

std::string json(const TypeKey& key) {
    return fmt::format(R"({{"ros_type_name": {}, "supported_type_name": {}}})",
                       json_quoted(key.ros_type_name), json_quoted(key.supported_type_name));
}

template <class List, class Format>
std::string json_list(const List& list, Format format) {
    std::string text = "[";
    for (const auto& item : list) {
        if (text.size() > 1) text += ", ";
        text += format(item);
    }
    return text + "]";
}

std::string json(const NegotiationReport::OfferLine& offer) {
    return fmt::format(
        R"({{"type": {}, "weight": {}, "compatible": {}, "usable": {}, "chosen": {}, "total_weight": {}, )"
        R"("listed_by": {}, "only_for": {}, "readers": {}, "sent": {}, "spared": {}}})",
        json(offer.key), offer.weight, offer.is_compatible, offer.is_usable, offer.is_chosen,
        offer.total_weight, offer.listed_by, json_quoted(offer.only_for), offer.readers, offer.sent,
        offer.spared);
}

std::string json(const NegotiationReport::DemandLine& demand) {
    const std::string wants = json_list(demand.wants, [](const NegotiationReport::WantLine& want) {
        return fmt::format(R"({{"type": {}, "weight": {}, "offered": {}}})", json(want.key), want.weight,
                           want.is_offered);
    });
    return fmt::format(R"({{"who": {}, "wants": {}, "served_by": {}, "unserved": {}, "refused": {}}})",
                       json_quoted(demand.who), wants,
                       json_list(demand.served_by, [](const TypeKey& key) { return json(key); }),
                       json_quoted(demand.unserved), demand.refused);
}

std::string json(const std::optional<NegotiationReport::RunnerUpLine>& runner_up) {
    if (!runner_up) return "null";
    return fmt::format(R"({{"types": {}, "more_types": {}, "less_weight": {}, "proven": {}}})",
                       json_list(runner_up->types, [](const TypeKey& key) { return json(key); }),
                       runner_up->more_types, runner_up->less_weight, runner_up->is_proven);
}

std::string names_of(const std::vector<TypeKey>& keys) {
    std::string text;
    for (const TypeKey& key : keys) text += (text.empty() ? "" : ", ") + key.supported_type_name;
    return text;
}

std::string why_chosen(const NegotiationReport::OfferLine& offer) {
    if (!offer.only_for.empty()) return fmt::format("nothing else suits {}", offer.only_for);
    if (offer.is_compatible) return "a compatible publisher, which is there anyway";
    return "with it the fewest types serve everybody, and it is liked best";
}

}  // namespace

std::string to_json(const NegotiationReport& report) {
    const auto line = [](const auto& item) { return json(item); };
    return fmt::format(
        R"({{"topic": {}, "started": {}, "success": {}, "weight": {}, "at_least": {}, "proven": {}, "kept": {}, )"
        R"("switching": {}, "negotiations": {}, "results_sent": {}, "switches": {}, "sent": {}, "spared": {}, )"
        R"("offers": {}, "demands": {}, "runner_up": {}}})",
        json_quoted(report.topic), report.is_started, report.success, report.weight, report.at_least,
        report.is_proven, report.is_kept, report.is_switching, report.negotiations, report.results_sent,
        report.switches, report.sent, report.spared, json_list(report.offers, line),
        json_list(report.demands, line), json(report.runner_up));
}

std::string to_text(const NegotiationReport& report) {
    std::string text = fmt::format("{}: {}\n", report.topic,
                                   !report.is_started       ? "not started"
                                   : report.demands.empty() ? "nobody is subscribed"
                                   : report.success         ? "negotiated"
                                                            : "no agreement");
    for (const auto& offer : report.offers) {
        text += fmt::format("  {} {}: weight {}, {} with its {} subscriptions", offer.is_chosen ? "+" : "-",
                            offer.key.supported_type_name, offer.weight, offer.total_weight, offer.listed_by);
        if (!offer.is_usable) text += "; the upstreams do not deliver it";
        if (offer.is_chosen) text += "; chosen: " + why_chosen(offer);
        text += fmt::format("; {} sent, {} spared\n", offer.sent, offer.spared);
    }
    for (const auto& demand : report.demands) {
        const std::string served = names_of(demand.served_by);
        text += fmt::format("  {} {}\n", demand.who,
                            demand.unserved.empty() ? "gets " + served : "gets nothing: " + demand.unserved);
    }
    if (!report.is_proven)
        text +=
            fmt::format("  not proven to be the best; no choice has fewer than {} types\n", report.at_least);
    if (report.is_kept) text += "  kept: a better choice is not worth the cost of a switch\n";
    if (report.runner_up)
        text += fmt::format("  the runner-up, {}, takes {} more types and has {} less weight\n",
                            names_of(report.runner_up->types), report.runner_up->more_types,
                            report.runner_up->less_weight);
    return text;
}

}  // namespace caribou::negotiation
