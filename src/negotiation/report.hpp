#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "negotiation/type_key.hpp"

namespace caribou::negotiation {

/// The state of a publisher's negotiation as plain data, for `caribou topics` and the dashboard.
struct NegotiationReport {
    struct OfferLine {
        TypeKey key;
        double weight = 0;
        bool is_compatible = false;
        bool is_usable = true;
        bool is_chosen = false;
        double total_weight = 0;    ///< its own plus that of all subscriptions that list it
        std::size_t listed_by = 0;  ///< number of subscriptions
        std::string only_for{};     ///< the subscription that no other type suits, if there is one
        std::size_t readers = 0;    ///< of its data
        std::uint64_t sent = 0;     ///< messages
        std::uint64_t spared = 0;   ///< suppressed: messages published while no subscription needed the type
    };
    struct WantLine {
        TypeKey key;
        double weight = 0;
        bool is_offered = false;
    };
    struct DemandLine {
        std::string who;
        std::vector<WantLine> wants;
        std::vector<TypeKey> served_by;  ///< chosen types that it lists
        std::string unserved{};          ///< the reason if it is not served, otherwise empty
        std::size_t refused = 0;         ///< number of invalid entries in its list
    };
    struct RunnerUpLine {
        std::vector<TypeKey> types;
        std::size_t more_types = 0;
        double less_weight = 0;
        bool is_proven = true;
    };

    std::string topic;
    bool is_started = false;
    bool success = false;
    std::vector<OfferLine> offers;
    std::vector<DemandLine> demands;
    double weight = 0;
    std::size_t at_least = 0;  ///< lower bound: no choice has fewer types
    bool is_proven = true;
    bool is_kept = false;  ///< the previous choice was kept because the gain was below switch_cost
    bool is_switching = false;
    std::optional<RunnerUpLine> runner_up{};
    std::uint64_t negotiations = 0;
    std::uint64_t results_sent = 0;
    std::uint64_t switches = 0;
    std::uint64_t sent = 0;    ///< messages of all types
    std::uint64_t spared = 0;  ///< messages that did not have to be sent because of the negotiation
};

/// Returns the report as one JSON object, as specified in docs/formats/negotiation-report.md.
std::string to_json(const NegotiationReport& report);

/// Parses the JSON that tools receive on report_topic(). Returns an error if it is not a JSON object.
Result<NegotiationReport> report_from_json(std::string_view text);

/// Returns a paragraph for people: the published types with reasons, the subscriptions that are not served
/// with reasons, and what the runner-up would cost.
std::string to_text(const NegotiationReport& report);

}  // namespace caribou::negotiation
