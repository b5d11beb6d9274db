#include <fmt/format.h>

#include "base/json_node.hpp"
#include "negotiation/report.hpp"

namespace caribou::negotiation {
namespace {

using Kind = JsonNode::Kind;

// A field that is missing or of the wrong kind reads as empty: newer publishers may send more fields, older
// ones fewer.

std::string text_in(const JsonNode& node, std::string_view key) {
    const JsonNode* found = node.find(key);
    return found != nullptr && found->is(Kind::text) ? found->text : std::string();
}
double number_in(const JsonNode& node, std::string_view key) {
    const JsonNode* found = node.find(key);
    return found != nullptr && found->is(Kind::number) ? found->number : 0;
}
template <class T>
T count_in(const JsonNode& node, std::string_view key) {
    const double number = number_in(node, key);
    return number > 0 && number < 0x1p63 ? static_cast<T>(number) : T{};
}
bool flag_in(const JsonNode& node, std::string_view key) {
    const JsonNode* found = node.find(key);
    return found != nullptr && found->is(Kind::truth) && found->truth;
}
const std::vector<JsonNode>& list_in(const JsonNode& node, std::string_view key) {
    static const std::vector<JsonNode> none;
    const JsonNode* found = node.find(key);
    return found != nullptr && found->is(Kind::list) ? found->items : none;
}

TypeKey key_of(const JsonNode& node) {
    return {text_in(node, "ros_type_name"), text_in(node, "supported_type_name")};
}
TypeKey type_in(const JsonNode& node) {
    const JsonNode* type = node.find("type");
    return type == nullptr ? TypeKey{} : key_of(*type);
}
std::vector<TypeKey> keys_in(const JsonNode& node, std::string_view key) {
    std::vector<TypeKey> keys;
    for (const JsonNode& item : list_in(node, key)) keys.push_back(key_of(item));
    return keys;
}

NegotiationReport::OfferLine offer_of(const JsonNode& node) {
    return {.key = type_in(node),
            .weight = number_in(node, "weight"),
            .is_compatible = flag_in(node, "compatible"),
            .is_usable = flag_in(node, "usable"),
            .is_chosen = flag_in(node, "chosen"),
            .total_weight = number_in(node, "total_weight"),
            .listed_by = count_in<std::size_t>(node, "listed_by"),
            .only_for = text_in(node, "only_for"),
            .readers = count_in<std::size_t>(node, "readers"),
            .sent = count_in<std::uint64_t>(node, "sent"),
            .spared = count_in<std::uint64_t>(node, "spared")};
}

NegotiationReport::DemandLine demand_of(const JsonNode& node) {
    NegotiationReport::DemandLine line{.who = text_in(node, "who"),
                                       .wants = {},
                                       .served_by = keys_in(node, "served_by"),
                                       .unserved = text_in(node, "unserved"),
                                       .refused = count_in<std::size_t>(node, "refused")};
    for (const JsonNode& want : list_in(node, "wants"))
        line.wants.push_back({type_in(want), number_in(want, "weight"), flag_in(want, "offered")});
    return line;
}

}  // namespace

Result<NegotiationReport> report_from_json(std::string_view text) {
    const auto root = read_json(text);
    if (!root || !root->is(Kind::object))
        return fail(Code::malformed, "this is no report of a negotiation: " +
                                         (root ? std::string("it is no object") : root.error().message));
    NegotiationReport report{.topic = text_in(*root, "topic"),
                             .is_started = flag_in(*root, "started"),
                             .success = flag_in(*root, "success"),
                             .offers = {},
                             .demands = {},
                             .weight = number_in(*root, "weight"),
                             .at_least = count_in<std::size_t>(*root, "at_least"),
                             .is_proven = flag_in(*root, "proven"),
                             .is_kept = flag_in(*root, "kept"),
                             .is_switching = flag_in(*root, "switching"),
                             .negotiations = count_in<std::uint64_t>(*root, "negotiations"),
                             .results_sent = count_in<std::uint64_t>(*root, "results_sent"),
                             .switches = count_in<std::uint64_t>(*root, "switches"),
                             .sent = count_in<std::uint64_t>(*root, "sent"),
                             .spared = count_in<std::uint64_t>(*root, "spared")};
    for (const JsonNode& offer : list_in(*root, "offers")) report.offers.push_back(offer_of(offer));
    for (const JsonNode& demand : list_in(*root, "demands")) report.demands.push_back(demand_of(demand));
    if (const JsonNode* next = root->find("runner_up"); next != nullptr && next->is(Kind::object))
        report.runner_up =
            NegotiationReport::RunnerUpLine{.types = keys_in(*next, "types"),
                                            .more_types = count_in<std::size_t>(*next, "more_types"),
                                            .less_weight = number_in(*next, "less_weight"),
                                            .is_proven = flag_in(*next, "proven")};
    return report;
}

}  // namespace caribou::negotiation
