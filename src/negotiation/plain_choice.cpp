#include "negotiation/plain_choice.hpp"

#include <algorithm>
#include <numeric>

namespace caribou::negotiation {
namespace {

using Set = std::uint64_t;

bool has(Set set, std::size_t i) { return (set >> i & 1) != 0; }

/// Returns the next greater number with the same number of one bits.
Set next_of_same_size(Set set) {
    const Set lowest = set & -set;
    const Set ripple = set + lowest;
    return ripple | (((set ^ ripple) / lowest) >> 2);
}

}  // namespace

PlainChoice choose_plainly(const ChoiceProblem& problem) {
    // In a set, bit i is the i-th slot in order of keys.
    std::vector<std::size_t> slots;
    for (std::size_t i = 0; i < problem.offers.size(); ++i)
        if (problem.offers[i].is_usable && !problem.offers[i].is_compatible) slots.push_back(i);
    std::ranges::sort(slots, {}, [&](std::size_t i) { return problem.offers[i].key; });

    std::vector<double> weights;
    for (const std::size_t offer : slots) weights.push_back(problem.offers[offer].weight);
    std::vector<Set> wants;
    bool anybody = false;
    for (const Demand& demand : problem.demands) {
        Set set = 0;
        bool served = false;
        for (const Want& want : demand.wants) {
            const Offer& offer = problem.offers[want.offer];
            served = served || (offer.is_usable && offer.is_compatible);
            for (std::size_t i = 0; i < slots.size(); ++i)
                if (slots[i] == want.offer) {
                    set |= Set{1} << i;
                    weights[i] += want.weight;
                }
        }
        anybody = anybody || served || set != 0;
        if (!served && set != 0) wants.push_back(set);
    }
    if (!anybody) return {};
    if (wants.empty()) return {.success = true};

    for (std::size_t size = 1; size <= std::min(slots.size(), problem.maximum_solutions); ++size) {
        std::optional<PlainChoice> best;
        const Set end = slots.size() == 64 ? 0 : Set{1} << slots.size();
        for (Set set = (Set{1} << size) - 1; set < end; set = next_of_same_size(set)) {
            if (!std::ranges::all_of(wants, [&](Set want) { return (want & set) != 0; })) continue;
            PlainChoice found{.success = true};
            for (std::size_t i = 0; i < slots.size(); ++i)
                if (has(set, i)) {
                    found.published.push_back(i);
                    found.weight += weights[i];
                }
            if (!best || found.weight > best->weight ||
                (found.weight == best->weight && found.published < best->published))
                best = std::move(found);
        }
        if (!best) continue;
        for (std::size_t& slot : best->published) slot = slots[slot];
        return *best;
    }
    return {};
}

}  // namespace caribou::negotiation
