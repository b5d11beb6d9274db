#include "negotiation/explanation.hpp"

#include <algorithm>
#include <tuple>

namespace caribou::negotiation {
namespace {

Reason reason_of(const ChoiceProblem& problem, std::size_t offer) {
    Reason reason{.offer = offer, .weight = weight_of(problem, offer), .listed_by = 0};
    for (std::size_t i = 0; i < problem.demands.size(); ++i) {
        if (!problem.demands[i].lists(offer)) continue;
        ++reason.listed_by;
        const auto usable = std::ranges::count_if(
            problem.demands[i].wants, [&](const Want& want) { return problem.offers[want.offer].is_usable; });
        if (usable == 1 && !reason.only_for) reason.only_for = i;
    }
    return reason;
}

std::optional<RunnerUp> runner_up(ChoiceProblem problem, const Choice& choice, std::uint64_t budget) {
    const auto rank = [&](const Choice& c) {
        std::vector<TypeKey> keys;
        for (const std::size_t offer : c.published) keys.push_back(problem.offers[offer].key);
        return std::tuple(c.published.size(), -c.weight, std::move(keys));
    };
    std::optional<Choice> best;
    // Any other choice that does not contain this one lacks at least one of its types.
    for (const std::size_t offer : choice.published) {
        problem.offers[offer].is_usable = false;
        Choice other = choose(problem, {.budget = budget / choice.published.size()});
        problem.offers[offer].is_usable = true;
        if (!other.success || other.unserved.size() > choice.unserved.size()) continue;
        if (!best || rank(other) < rank(*best)) best = std::move(other);
    }
    if (!best) return std::nullopt;
    return RunnerUp{
        .published = best->published,
        .more_types = best->published.size() - std::min(best->published.size(), choice.published.size()),
        .less_weight = choice.weight - best->weight,
        .is_proven = best->is_proven};
}

}  // namespace

Explanation explain(const ChoiceProblem& problem, const Choice& choice, std::uint64_t budget) {
    Explanation explanation;
    for (const std::size_t offer : choice.published) explanation.reasons.push_back(reason_of(problem, offer));
    explanation.runner_up = runner_up(problem, choice, budget);
    return explanation;
}

}  // namespace caribou::negotiation
