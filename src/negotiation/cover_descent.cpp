#include "negotiation/cover_descent.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "negotiation/cover_search.hpp"

namespace caribou::negotiation {

TypeSet greedy_cover(const CoverProblem& problem, std::span<const TypeSet> wants) {
    std::vector<TypeSet> left(wants.begin(), wants.end());
    TypeSet cover = 0;
    while (!left.empty()) {
        const auto degree = degrees(left);
        std::size_t best = 0;
        for (std::size_t type = 1; type < max_types; ++type)
            if (std::pair(degree[type], problem.score(type)) > std::pair(degree[best], problem.score(best)))
                best = type;
        cover |= only(best);
        std::erase_if(left, [&](TypeSet want) { return (want & only(best)) != 0; });
    }
    return without_idle_types(problem, wants, cover);
}

TypeSet without_idle_types(const CoverProblem& problem, std::span<const TypeSet> wants, TypeSet cover) {
    for (;;) {
        TypeSet needed = 0;
        for (const TypeSet want : wants)
            if (std::has_single_bit(want & cover)) needed |= want & cover;
        const TypeSet idle = cover & ~needed;
        if (idle == 0) return cover;
        std::size_t worst = first_of(idle);
        for_each_type(idle, [&](std::size_t type) {
            if (problem.score(type) < problem.score(worst)) worst = type;
        });
        cover &= ~only(worst);
    }
}

CoverDescent::CoverDescent(const CoverProblem& problem, std::span<const TypeSet> wants, TypeSet cover)
    : problem_(problem),
      wants_(wants),
      weight_(wants.size(), 1),
      times_served_(wants.size(), 0),
      best_(cover) {
    for (std::uint32_t i = 0; i < wants.size(); ++i)
        for_each_type(wants[i], [&](std::size_t type) {
            served_by_[type].push_back(i);
            ++value_[type];
        });
    for_each_type(cover, [this](std::size_t type) { put(type); });
}

TypeSet CoverDescent::run(Steps& steps) {
    while (steps.take(std::exchange(work_, 0) + 1) && size_of(chosen_) > 1) {
        ++round_;
        forget_served();
        if (unserved_.empty()) {
            best_ = chosen_;
            drop(cheapest());
            continue;
        }
        const std::size_t gone = cheapest();
        drop(gone);
        forget_served();
        if (unserved_.empty()) continue;
        // The want to serve next is selected round-robin, so that no random numbers are needed.
        const TypeSet want = wants_[unserved_[round_ % unserved_.size()]];
        just_put_ = remedy(want, gone);
        put(just_put_);
        forget_served();
        for (const std::uint32_t i : unserved_) {
            ++weight_[i];
            for_each_type(wants_[i], [this](std::size_t type) { ++value_[type]; });
        }
        work_ += unserved_.size() * 4 + max_types;
    }
    chosen_ = best_;
    polish();
    return chosen_;
}

void CoverDescent::put(std::size_t type) {
    chosen_ |= only(type);
    changed_[type] = round_;
    work_ += served_by_[type].size() * 4;
    for (const std::uint32_t i : served_by_[type]) {
        const TypeSet want = wants_[i];
        const auto weight = static_cast<std::int64_t>(weight_[i]);
        const int times = ++times_served_[i];
        if (times == 1)  // other types gain nothing from it any more; this type's value already includes it
            for_each_type(want & ~only(type), [&](std::size_t other) { value_[other] -= weight; });
        else if (times == 2)  // no longer served by one type alone
            value_[first_of(want & chosen_ & ~only(type))] -= weight;
    }
}

void CoverDescent::drop(std::size_t type) {
    chosen_ &= ~only(type);
    changed_[type] = round_;
    work_ += served_by_[type].size() * 4;
    for (const std::uint32_t i : served_by_[type]) {
        const TypeSet want = wants_[i];
        const auto weight = static_cast<std::int64_t>(weight_[i]);
        const int times = --times_served_[i];
        if (times == 0) {
            unserved_.push_back(i);
            for_each_type(want & ~only(type), [&](std::size_t other) { value_[other] += weight; });
        } else if (times == 1) {
            value_[first_of(want & chosen_)] += weight;
        }
    }
}

void CoverDescent::forget_served() {
    std::erase_if(unserved_, [this](std::uint32_t i) { return times_served_[i] > 0; });
    std::ranges::sort(unserved_);
    unserved_.erase(std::ranges::unique(unserved_).begin(), unserved_.end());
}

std::size_t CoverDescent::cheapest() const {
    std::size_t best = none;
    for_each_type(chosen_, [&](std::size_t type) {
        if (type == just_put_) return;
        if (best == none || std::pair(value_[type], changed_[type]) < std::pair(value_[best], changed_[best]))
            best = type;
    });
    return best == none ? first_of(chosen_) : best;
}

std::size_t CoverDescent::remedy(TypeSet want, std::size_t not_this) const {
    std::size_t best = none;
    for_each_type(want, [&](std::size_t type) {
        if (type == not_this && !std::has_single_bit(want)) return;
        if (best == none || value_[type] > value_[best] ||
            (value_[type] == value_[best] && changed_[type] < changed_[best]))
            best = type;
    });
    return best;
}

/// Replaces a chosen type by a better one wherever all wants remain served.
void CoverDescent::polish() {
    for (bool better = true; better;) {
        better = false;
        for_each_type(chosen_, [&](std::size_t out) {
            TypeSet stand_ins = ~TypeSet{0};  // types that serve all wants that only `out` serves
            for (const TypeSet want : wants_)
                if ((want & chosen_) == only(out)) stand_ins &= want;
            std::size_t best = out;
            for_each_type(stand_ins & ~chosen_, [&](std::size_t type) {
                if (problem_.score(type) > problem_.score(best)) best = type;
            });
            if (best == out) return;
            chosen_ = (chosen_ & ~only(out)) | only(best);
            better = true;
        });
    }
}

}  // namespace caribou::negotiation
