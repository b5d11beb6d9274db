#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace caribou::negotiation {

/// A set of at most 64 types, the i-th one in order of keys being bit i.
using TypeSet = std::uint64_t;
inline constexpr std::size_t max_types = 64;

inline TypeSet only(std::size_t type) { return TypeSet{1} << type; }
inline std::size_t first_of(TypeSet set) { return static_cast<std::size_t>(std::countr_zero(set)); }
inline std::size_t size_of(TypeSet set) { return static_cast<std::size_t>(std::popcount(set)); }

/// Calls `visit(type)` for each, in order.
template <class Visit>
void for_each_type(TypeSet set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(first_of(set));
}

/// What sets of equal size are compared by. Integers, so that sums do not depend on their order. The
/// second part makes the lexicographically first set the greatest: type i adds bit 63 - i. No two sets
/// of one size are equal, which is why a search can cut off ties.
struct Score {
    std::int64_t weight = 0;
    std::uint64_t order = 0;

    Score& operator+=(const Score& other) {
        weight += other.weight;
        order += other.order;
        return *this;
    }
    friend Score operator+(Score a, const Score& b) { return a += b; }
    friend auto operator<=>(const Score&, const Score&) = default;
};

struct CoverProblem {
    std::vector<TypeSet> wants;                    ///< of each subscription; none is empty
    std::array<std::int64_t, max_types> weight{};  ///< of each type

    Score score(std::size_t type) const { return {weight[type], only(max_types - 1 - type)}; }
    Score score_of(TypeSet set) const {
        Score sum;
        for_each_type(set, [&](std::size_t type) { sum += score(type); });
        return sum;
    }
};

/// A set that has something of every want.
struct Cover {
    TypeSet types = 0;
    std::size_t at_least = 0;  ///< types that every cover has; that many is proven
    bool proven = true;        ///< that none is smaller, nor of this size and better
    std::uint64_t steps = 0;   ///< that it took
};

struct CoverOptions {
    std::uint64_t budget;    ///< steps: looks at one want of one subscription, a few nanoseconds each
    TypeSet start_from = 0;  ///< an earlier answer, which may be a cover of this problem
};

/// The smallest cover; among those the one of the greatest weight, among those the first in order of
/// keys. This is minimum set cover: what is duplicate, implied, forced or dominated goes first, what is
/// left falls into components, and each of them is searched by branch and bound. If the budget does not
/// suffice the answer is still a cover, but may not be the best.
Cover smallest_cover(const CoverProblem& problem, const CoverOptions& options);

/// The number of steps that may still be taken.
class Steps {
public:
    explicit Steps(std::uint64_t budget) : left_(budget) {}
    /// Whether there were that many.
    bool take(std::uint64_t steps) {
        const bool enough = steps <= left_;
        left_ -= enough ? steps : left_;
        return enough;
    }
    std::uint64_t left() const { return left_; }

private:
    std::uint64_t left_;
};

/// Whether every want has something of the set.
inline bool covers(TypeSet set, std::span<const TypeSet> wants) {
    for (const TypeSet want : wants)
        if ((want & set) == 0) return false;
    return true;
}

}  // namespace caribou::negotiation
