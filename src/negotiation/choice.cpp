#include "negotiation/choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "base/check.hpp"
#include "negotiation/cover.hpp"

namespace caribou::negotiation {
namespace {

/// Converts weights to integers, so that sums do not depend on the order of addition. The scale is the power
/// of two at which the sum of all weights still fits: with 1,000 demands, about 46 bits remain for the
/// greatest weight.
class WeightScale {
public:
    explicit WeightScale(const ChoiceProblem& problem) {
        double greatest = 0;
        for (const Offer& offer : problem.offers) greatest = std::max(greatest, std::abs(offer.weight));
        for (const Demand& demand : problem.demands)
            for (const Want& want : demand.wants) greatest = std::max(greatest, std::abs(want.weight));
        if (greatest == 0) return;
        const int summands = static_cast<int>(std::bit_width((problem.demands.size() + 1) * max_types));
        // Exponents above 1000 would overflow; such tiny weights lose a few bits.
        exponent_ = std::min(61 - summands - std::ilogb(greatest), 1000);
        factor_ = std::ldexp(1.0, exponent_);
    }

    std::int64_t scaled(double weight) const { return std::llrint(weight * factor_); }
    double unscaled(std::int64_t weight) const { return std::ldexp(static_cast<double>(weight), -exponent_); }

private:
    int exponent_ = 0;
    double factor_ = 1;
};

/// The problem as sets of types: bit i is the i-th offer, in order of keys, that uses a slot.
class Slots {
public:
    Slots(const ChoiceProblem& problem, const WeightScale& scale);

    TypeSet of(std::span<const std::size_t> offers) const;
    std::vector<std::size_t> offers_of(TypeSet types) const;

    CoverProblem cover;
    std::vector<std::size_t> compatible;
    std::vector<UnservedDemand> unserved;
    std::vector<std::size_t> served;  ///< indices of demands

private:
    void add(std::size_t demand, const Demand& wants, const WeightScale& scale);

    static constexpr std::size_t compatible_slot = max_types;
    static constexpr std::size_t unusable_slot = max_types + 1;

    std::vector<std::size_t> slot_;   ///< of each offer
    std::vector<std::size_t> offer_;  ///< of each slot
    std::vector<bool> is_wanted_;     ///< of each offer
};

Slots::Slots(const ChoiceProblem& problem, const WeightScale& scale)
    : slot_(problem.offers.size(), unusable_slot), is_wanted_(problem.offers.size(), false) {
    std::vector<std::size_t> in_order(problem.offers.size());
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    std::ranges::sort(in_order, {}, [&](std::size_t offer) { return problem.offers[offer].key; });
    for (const std::size_t offer : in_order) {
        const Offer& offered = problem.offers[offer];
        if (!offered.is_usable) continue;
        slot_[offer] = offered.is_compatible ? compatible_slot : offer_.size();
        if (offered.is_compatible) continue;
        check(offer_.size() < max_types, "at most max_types offers use a slot");
        cover.weight[offer_.size()] = scale.scaled(offered.weight);
        offer_.push_back(offer);
    }
    cover.wants.reserve(problem.demands.size());
    for (std::size_t i = 0; i < problem.demands.size(); ++i) add(i, problem.demands[i], scale);
    for (const std::size_t offer : in_order)
        if (slot_[offer] == compatible_slot && is_wanted_[offer]) compatible.push_back(offer);
}

void Slots::add(std::size_t demand, const Demand& wanted, const WeightScale& scale) {
    if (wanted.is_cycle) {
        unserved.push_back({demand, Unserved::cycle});
        return;
    }
    TypeSet types = 0;
    bool is_served = false;
    for (const Want& want : wanted.wants) {
        is_wanted_[want.offer] = true;
        const std::size_t slot = slot_[want.offer];
        if (slot == compatible_slot) is_served = true;
        if (slot >= max_types) continue;
        types |= only(slot);
        cover.weight[slot] += scale.scaled(want.weight);
    }
    if (types == 0 && !is_served) {
        unserved.push_back({demand, wanted.wants.empty() ? Unserved::nothing_offered : Unserved::upstream});
        return;
    }
    served.push_back(demand);
    if (!is_served) cover.wants.push_back(types);
}

TypeSet Slots::of(std::span<const std::size_t> offers) const {
    TypeSet types = 0;
    for (const std::size_t offer : offers)
        if (offer < slot_.size() && slot_[offer] < max_types) types |= only(slot_[offer]);
    return types;
}

std::vector<std::size_t> Slots::offers_of(TypeSet types) const {
    std::vector<std::size_t> offers;
    for_each_type(types, [&](std::size_t slot) { offers.push_back(offer_[slot]); });
    return offers;
}

/// Returns the weight that a switch from the present types to the best ones would gain, or nullopt if the
/// present types do not serve all demands or are of another number.
std::optional<std::int64_t> gain(const CoverProblem& problem, TypeSet present, TypeSet best) {
    if (size_of(present) != size_of(best) || !covers(present, problem.wants)) return std::nullopt;
    return problem.score_of(best).weight - problem.score_of(present).weight;
}

}  // namespace

bool Demand::lists(std::size_t offer) const {
    return std::ranges::find(wants, offer, &Want::offer) != wants.end();
}

std::string_view to_string(Unserved reason) {
    switch (reason) {
        case Unserved::nothing_offered: return "nothing_offered";
        case Unserved::cycle: return "cycle";
        case Unserved::upstream: return "upstream";
        case Unserved::maximum_solutions: return "maximum_solutions";
    }
    return "?";
}

std::string sentence_of(Unserved reason, std::size_t at_least, std::size_t maximum_solutions) {
    switch (reason) {
        case Unserved::nothing_offered: return "no type that it lists is offered";
        case Unserved::cycle: return "it is upstream of this publisher, so that data would go round";
        case Unserved::upstream: return "the upstream subscriptions do not deliver any type that it lists";
        case Unserved::maximum_solutions:
            return fmt::format(
                "serving all subscriptions takes at least {} types, and maximum_solutions is {}", at_least,
                maximum_solutions);
    }
    return "?";
}

Choice choose(const ChoiceProblem& problem, const ChoiceOptions& options) {
    const WeightScale scale(problem);
    Slots slots(problem, scale);
    const TypeSet previous = slots.of(options.previous);
    const Cover best = smallest_cover(slots.cover, {.budget = options.budget, .start_from = previous});
    Choice choice{.unserved = std::move(slots.unserved),
                  .at_least = best.at_least,
                  .is_proven = best.proven,
                  .steps = best.steps};
    if (size_of(best.types) > problem.maximum_solutions) {
        for (const std::size_t demand : slots.served)
            choice.unserved.push_back({demand, Unserved::maximum_solutions});
        std::ranges::sort(choice.unserved, {}, &UnservedDemand::demand);
        return choice;
    }
    TypeSet types = best.types;
    if (const auto gained = gain(slots.cover, previous, types);
        options.switch_cost && previous != types && gained &&
        scale.unscaled(*gained) <= *options.switch_cost) {
        types = previous;
        choice.is_kept = true;
    }
    choice.success = !slots.served.empty();
    choice.published = slots.offers_of(types);
    for_each_type(
        types, [&](std::size_t slot) { choice.weights.push_back(scale.unscaled(slots.cover.weight[slot])); });
    choice.compatible = std::move(slots.compatible);
    choice.weight = scale.unscaled(slots.cover.score_of(types).weight);
    return choice;
}

double weight_of(const ChoiceProblem& problem, std::size_t offer) {
    const WeightScale scale(problem);
    std::int64_t sum = scale.scaled(problem.offers[offer].weight);
    for (const Demand& demand : problem.demands)
        for (const Want& want : demand.wants)
            if (want.offer == offer) sum += scale.scaled(want.weight);
    return scale.unscaled(sum);
}

}  // namespace caribou::negotiation
