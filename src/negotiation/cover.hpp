#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace caribou::negotiation {

/// A set of at most 64 types. Bit i is the i-th type in order of keys.
using TypeSet = std::uint64_t;
inline constexpr std::size_t max_types = 64;

inline TypeSet only(std::size_t type) { return TypeSet{1} << type; }
inline std::size_t first_of(TypeSet set) { return static_cast<std::size_t>(std::countr_zero(set)); }
inline std::size_t size_of(TypeSet set) { return static_cast<std::size_t>(std::popcount(set)); }

/// Calls `visit(type)` for each type of the set, in order.
template <class Visit>
void for_each_type(TypeSet set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(first_of(set));
}

/// Compares sets of equal size. The parts are integers, so sums do not depend on the order of addition.
/// `order` makes the lexicographically first set the greatest: type i adds bit 63 - i. No two distinct sets
/// of the same size have equal scores, so a search can prune ties.
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

/// A set of types that contains at least one type of every want.
struct Cover {
    TypeSet types = 0;
    std::size_t at_least = 0;  ///< lower bound on the size of any cover
    bool proven = true;        ///< no cover is smaller, or of the same size with a better score
    std::uint64_t steps = 0;   ///< steps used
};

struct CoverOptions {
    std::uint64_t budget;    ///< in steps: one want of one subscription examined, a few nanoseconds
    TypeSet start_from = 0;  ///< an earlier result; it is used if it covers this problem
};

/// Returns the smallest cover; among those the one with the greatest weight, and among those the first in
/// order of keys. This is minimum set cover: duplicate, implied, forced and dominated entries are removed
/// first, the rest is split into components, and each component is searched by branch and bound. If the
/// budget runs out, the result is still a cover but may not be the best.
Cover smallest_cover(const CoverProblem& problem, const CoverOptions& options);

/// Counts down a budget of steps.
class Steps {
public:
    explicit Steps(std::uint64_t budget) : left_(budget) {}
    /// Takes `steps` from the budget. Returns false, and leaves 0, if fewer were left.
    bool take(std::uint64_t steps) {
        const bool enough = steps <= left_;
        left_ -= enough ? steps : left_;
        return enough;
    }
    std::uint64_t left() const { return left_; }

private:
    std::uint64_t left_;
};

/// Returns whether `set` contains at least one type of every want.
inline bool covers(TypeSet set, std::span<const TypeSet> wants) {
    for (const TypeSet want : wants)
        if ((want & set) == 0) return false;
    return true;
}

}  // namespace caribou::negotiation
