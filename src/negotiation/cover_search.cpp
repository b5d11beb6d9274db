#include "negotiation/cover_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace caribou::negotiation {

std::array<std::uint32_t, max_types> degrees(std::span<const TypeSet> wants) {
    std::array<std::uint32_t, max_types> degree{};
    for (const TypeSet want : wants) for_each_type(want, [&](std::size_t type) { ++degree[type]; });
    return degree;
}

Disjoint disjoint_wants(std::span<const TypeSet> wants, const CoverProblem& problem) {
    Disjoint found;
    // Small wants first, because they leave room for more.
    for (std::size_t size = 2; size <= 4; ++size)
        for (const TypeSet want : wants) {
            if ((want & found.together) != 0 || std::min<std::size_t>(size_of(want), 4) != size) continue;
            ++found.count;
            found.together |= want;
            Score greatest{std::numeric_limits<std::int64_t>::min(), 0};
            for_each_type(want,
                          [&](std::size_t type) { greatest = std::max(greatest, problem.score(type)); });
            found.maximum += greatest;
        }
    return found;
}

std::size_t dual_bound(std::span<const TypeSet> wants, const std::array<std::uint32_t, max_types>& degree) {
    double sum = 0;
    for (const TypeSet want : wants) {
        std::uint32_t most = 1;
        for_each_type(want, [&](std::size_t type) { most = std::max(most, degree[type]); });
        sum += 1.0 / most;
    }
    constexpr double rounding = 1e-6;  // generous bound on the error of a sum of at most 2^16 doubles
    return static_cast<std::size_t>(std::ceil(sum - rounding));
}

bool CoverSearch::improve(std::span<const TypeSet> wants, TypeSet& best) {
    best_ = best;
    best_score_ = problem_.score_of(best);
    Wants all(wants.begin(), wants.end());
    visit(all, 0, 0);
    best = best_;
    return !out_of_steps_;
}

void CoverSearch::visit(Wants& wants, TypeSet chosen, std::size_t depth) {
    if (!steps_.take(4 * wants.size() + 1)) {
        out_of_steps_ = true;
        return;
    }
    if (!take_forced(wants, chosen)) return;
    if (depth == 0) at_least_ = size_of(chosen);
    if (wants.empty()) return keep_if_better(chosen);
    TypeSet usable = ~TypeSet{0};
    if (hopeless(wants, chosen, usable, depth)) return;
    if (usable != ~TypeSet{0}) {
        for (TypeSet& want : wants) want &= usable;
        if (!take_forced(wants, chosen)) return;
        if (wants.empty()) return keep_if_better(chosen);
    }
    branch(wants, chosen, depth);
}

bool CoverSearch::take_forced(Wants& wants, TypeSet& chosen) const {
    for (;;) {
        TypeSet forced = 0;
        for (const TypeSet want : wants) {
            if (want == 0) return false;
            if (std::has_single_bit(want)) forced |= want;
        }
        if (forced == 0) return true;
        chosen |= forced;
        std::erase_if(wants, [&](TypeSet want) { return (want & forced) != 0; });
    }
}

void CoverSearch::keep_if_better(TypeSet chosen) {
    const Score score = problem_.score_of(chosen);
    if (size_of(chosen) > size_of(best_) || (size_of(chosen) == size_of(best_) && score <= best_score_))
        return;
    best_ = chosen;
    best_score_ = score;
}

bool CoverSearch::hopeless(const Wants& wants, TypeSet chosen, TypeSet& usable, std::size_t depth) {
    degree_ = degrees(wants);
    const Disjoint disjoint = disjoint_wants(wants, problem_);
    const std::size_t needed = std::max(disjoint.count, dual_bound(wants, degree_));
    if (depth == 0) at_least_ += needed;
    const std::size_t room = size_of(best_) - std::min(size_of(chosen), size_of(best_));
    if (needed != room) return needed > room;
    // The result can be at most as small as the best one, so it must have a better score.
    const Score so_far = problem_.score_of(chosen);
    if (disjoint.count == room) {
        // Exactly one type for each of the disjoint wants.
        if (so_far + disjoint.maximum <= best_score_) return true;
        usable = disjoint.together;
        return false;
    }
    TypeSet candidates = 0;
    for (const TypeSet want : wants) candidates |= want;
    return so_far + best_of(candidates, room) <= best_score_;
}

Score CoverSearch::best_of(TypeSet types, std::size_t count) const {
    std::array<Score, max_types> scores;
    std::size_t size = 0;
    for_each_type(types, [&](std::size_t type) { scores[size++] = problem_.score(type); });
    const auto end = scores.begin() + static_cast<std::ptrdiff_t>(size);
    const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(std::min(count, size));
    std::partial_sort(scores.begin(), middle, end, std::greater<>{});
    Score sum;
    for (auto score = scores.begin(); score != middle; ++score) sum += *score;
    return sum;
}

void CoverSearch::branch(const Wants& wants, TypeSet chosen, std::size_t depth) {
    const TypeSet want =
        *std::ranges::min_element(wants, {}, [](TypeSet w) { return std::pair(size_of(w), w); });
    std::array<std::size_t, max_types> order;
    std::size_t count = 0;
    for_each_type(want, [&](std::size_t type) { order[count++] = type; });
    const auto degree = degree_;  // a copy, because the branches overwrite it
    std::ranges::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>{},
                      [&](std::size_t type) { return std::pair(degree[type], problem_.score(type)); });
    TypeSet tried = 0;
    Wants below;
    for (std::size_t i = 0; i < count && !out_of_steps_; ++i) {
        below.clear();
        for (const TypeSet w : wants)
            if ((w & only(order[i])) == 0) below.push_back(w & ~tried);
        visit(below, chosen | only(order[i]), depth + 1);
        tried |= only(order[i]);
    }
}

}  // namespace caribou::negotiation
