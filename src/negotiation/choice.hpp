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
    bool is_compatible = false;  ///< it is published anyway, by somebody's plain publisher: it uses no slot
    bool is_usable = true;       ///< false: the upstream subscriptions cannot deliver it at present
};

/// What a subscription says of one offer.
struct Want {
    std::size_t offer;  ///< its place in ChoiceProblem::offers
    double weight = 0;
};

struct Demand {
    std::string who;          ///< for people
    std::vector<Want> wants;  ///< only what is offered, each offer at most once
    bool is_cycle = false;    ///< what is published would come back to its publisher this way

    bool lists(std::size_t offer) const;
};

/// Who offers what and who wants what. All weights are finite.
struct ChoiceProblem {
    std::vector<Offer> offers;  ///< keys are unique; at most max_types of them use a slot
    std::vector<Demand> demands;
    std::size_t maximum_solutions = std::numeric_limits<std::size_t>::max();
};

/// Why somebody gets nothing.
enum class Unserved {
    nothing_offered,    ///< no type of its list is offered
    cycle,              ///< it is the publisher's own upstream
    upstream,           ///< there are some, but the upstream subscriptions cannot deliver them now
    maximum_solutions,  ///< serving everybody takes more types than are allowed
};

std::string_view to_string(Unserved reason);
/// For people: what `reason` means where at least so many types are needed.
std::string sentence_of(Unserved reason, std::size_t at_least, std::size_t maximum_solutions);

struct UnservedDemand {
    std::size_t demand;
    Unserved reason;

    friend bool operator==(const UnservedDemand&, const UnservedDemand&) = default;
};

/// Which offers to publish.
struct Choice {
    bool success = false;                    ///< somebody is served, and nobody whom an offer suits is not
    std::vector<std::size_t> published{};    ///< offers that use a slot, in order of their keys
    std::vector<std::size_t> compatible{};   ///< the others that somebody wants, in order of their keys
    std::vector<double> weights{};           ///< of each that is published: its own and of all who list it
    double weight = 0;                       ///< their sum
    std::vector<UnservedDemand> unserved{};  ///< in order of demands
    std::size_t at_least = 0;                ///< types: no choice has fewer
    bool is_proven = true;                   ///< false: the budget ran out, there may be a better one
    bool is_kept = false;                    ///< a better one was not worth the cost of a switch
    std::uint64_t steps = 0;                 ///< of the budget

    friend bool operator==(const Choice&, const Choice&) = default;
};

struct ChoiceOptions {
    /// Steps, for a pure function has no clock. As calibrated, about 8 ms.
    std::uint64_t budget = 1'000'000;
    /// What is published at present: offers that use a slot. A start for the search, nothing more, as
    /// long as there is no switch_cost.
    std::vector<std::size_t> previous{};
    /// How much more weight another choice of the same size must have to replace `previous`.
    std::optional<double> switch_cost{};
};

/// Everybody whom an offer suits is served with the fewest types; among those sets the one of the
/// greatest weight, and among those the first in order of keys. A proven choice depends on the set of
/// offers and demands alone, not on their order.
Choice choose(const ChoiceProblem& problem, const ChoiceOptions& options = {});

/// The weight of an offer in the choice: its own and that of every demand that lists it.
double weight_of(const ChoiceProblem& problem, std::size_t offer);

}  // namespace caribou::negotiation
