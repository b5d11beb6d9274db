#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "negotiation/type_key.hpp"

namespace caribou::negotiation {

/// A type that can be published.
struct Offer {
    TypeKey key;
    double weight = 0;
    bool is_compatible = false;  ///< published anyway by a plain publisher, so it uses no slot
    bool is_usable = true;       ///< false if the upstream subscriptions cannot deliver it at present
};

/// The preference of one subscription for one offer.
struct Want {
    std::size_t offer;  ///< index into ChoiceProblem::offers
    double weight = 0;
};

struct Demand {
    std::string who;          ///< name of the subscription, for messages
    std::vector<Want> wants;  ///< only types that are offered, each at most once
    bool is_cycle = false;    ///< serving it would feed data back to its publisher

    /// Returns whether `offer` is among the wants.
    bool lists(std::size_t offer) const;
};

/// The input of choose(): offers and demands. All weights must be finite.
struct ChoiceProblem {
    std::vector<Offer> offers;  ///< keys are unique; at most max_types of them use a slot
    std::vector<Demand> demands;
    std::size_t maximum_solutions = std::numeric_limits<std::size_t>::max();
};

/// Why a demand is not served.
enum class Unserved {
    nothing_offered,    ///< none of the types it lists is offered
    cycle,              ///< it is upstream of this publisher
    upstream,           ///< types it lists are offered, but the upstreams cannot deliver them now
    maximum_solutions,  ///< serving all demands takes more types than maximum_solutions
};

std::string_view to_string(Unserved reason);
/// Returns a description of `reason` for people. `at_least` is the number of types that are needed.
std::string sentence_of(Unserved reason, std::size_t at_least, std::size_t maximum_solutions);

struct UnservedDemand {
    std::size_t demand;
    Unserved reason;

    friend bool operator==(const UnservedDemand&, const UnservedDemand&) = default;
};

/// The output of choose(): which offers to publish.
struct Choice {
    bool success = false;                    ///< some demand is served, and every demand that can be
    std::vector<std::size_t> published{};    ///< offers that use a slot, in order of keys
    std::vector<std::size_t> compatible{};   ///< compatible offers that a demand lists, in order of keys
    std::vector<double> weights{};           ///< of each published offer, as weight_of() returns it
    double weight = 0;                       ///< sum of `weights`
    std::vector<UnservedDemand> unserved{};  ///< in order of demands
    std::size_t at_least = 0;                ///< lower bound: no choice has fewer types
    bool is_proven = true;                   ///< false if the budget ran out: a better one may exist
    bool is_kept = false;                    ///< `previous` was kept: the gain was below switch_cost
    std::uint64_t steps = 0;                 ///< steps of the budget that were used

    friend bool operator==(const Choice&, const Choice&) = default;
};

struct ChoiceOptions {
    /// Limit on the number of steps; a pure function has no clock. The default takes about 8 ms.
    std::uint64_t budget = 1'000'000;
    /// The offers published at present that use a slot. Without a switch_cost they only serve as a starting
    /// point for the search and do not affect a proven result.
    std::vector<std::size_t> previous{};
    /// How much more weight another choice of the same size must have to replace `previous`.
    std::optional<double> switch_cost{};
};

/// Returns the choice that serves every demand that can be served with the fewest types; among those the one
/// with the greatest weight, and among those the first in order of keys. A proven choice depends only on the
/// set of offers and demands, not on their order.
Choice choose(const ChoiceProblem& problem, const ChoiceOptions& options = {});

/// Returns the weight of an offer in the choice: its own plus that of every demand that lists it.
double weight_of(const ChoiceProblem& problem, std::size_t offer);

}  // namespace caribou::negotiation
