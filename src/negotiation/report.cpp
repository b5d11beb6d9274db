#include "negotiation/report.hpp"

#include <fmt/format.h>

#include "base/json_node.hpp"

namespace caribou::negotiation {
namespace {

std::string names_of(const std::vector<data::TopicType>& types) {
    std::string text;
    for (const data::TopicType& type : types) text += (text.empty() ? "" : ", ") + type.supported_type_name;
    return text;
}

std::string why_chosen(const data::TopicOffer& offer) {
    if (!offer.only_for.empty()) return fmt::format("nothing else suits {}", offer.only_for);
    if (offer.is_compatible) return "a compatible publisher, which is there anyway";
    return "with it the fewest types serve all subscriptions, and its weight is highest";
}

}  // namespace

data::TopicType reported(const TypeKey& key) { return {key.ros_type_name, key.supported_type_name}; }

Result<NegotiationReport> report_from_json(std::string_view text) {
    const auto root = read_json(text);
    if (!root) return fail(Code::malformed, "not a report of a negotiation: " + root.error().message);
    return data::from_json<NegotiationReport>(*root, "report");
}

std::string to_text(const NegotiationReport& report) {
    std::string text = fmt::format("{}: {}\n", report.topic,
                                   !report.is_started       ? "not started"
                                   : report.demands.empty() ? "there is no subscription"
                                   : report.success         ? "negotiated"
                                                            : "no agreement");
    for (const auto& offer : report.offers) {
        text +=
            fmt::format("  {} {}: weight {}, {} with its {} subscriptions", offer.is_chosen ? "+" : "-",
                        offer.type.supported_type_name, offer.weight, offer.total_weight, offer.listed_by);
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
