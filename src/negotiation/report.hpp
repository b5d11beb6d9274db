#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "negotiation/type_key.hpp"

namespace caribou::negotiation {

/// What a publisher knows of its negotiation, as plain data: for `caribou topics` and the dashboard.
struct NegotiationReport {
    struct OfferLine {
        TypeKey key;
        double weight = 0;
        bool is_compatible = false;
        bool is_usable = true;
        bool is_chosen = false;
        double total_weight = 0;    ///< its own and that of all who list it
        std::size_t listed_by = 0;  ///< subscriptions
        std::string only_for{};     ///< the subscription to which nothing else suits, if there is one
        std::size_t readers = 0;    ///< of its data
        std::uint64_t sent = 0;     ///< messages
        std::uint64_t spared = 0;   ///< published, but needed by nobody: not sent
    };
    struct WantLine {
        TypeKey key;
        double weight = 0;
        bool is_offered = false;
    };
    struct DemandLine {
        std::string who;
        std::vector<WantLine> wants;
        std::vector<TypeKey> served_by;  ///< what of it is chosen
        std::string unserved{};          ///< why not, if it is not
        std::size_t refused = 0;         ///< entries of its list that make no sense
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
    std::size_t at_least = 0;  ///< types: no choice has fewer
    bool is_proven = true;
    bool is_kept = false;  ///< a better choice was not worth the cost of a switch
    bool is_switching = false;
    std::optional<RunnerUpLine> runner_up{};
    std::uint64_t negotiations = 0;
    std::uint64_t results_sent = 0;
    std::uint64_t switches = 0;
    std::uint64_t sent = 0;    ///< messages of all types
    std::uint64_t spared = 0;  ///< messages that negotiation made unnecessary
};

/// One JSON object, as docs/formats/negotiation-report.md has it.
std::string to_json(const NegotiationReport& report);

/// And back, for tools that hear it on report_topic().
Result<NegotiationReport> report_from_json(std::string_view text);

/// A paragraph for people: what is published and why, who is not served and why not, what the runner-up
/// would cost.
std::string to_text(const NegotiationReport& report);

}  // namespace caribou::negotiation
