#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "negotiation/cover.hpp"

namespace caribou::negotiation {

/// Returns a cover that is found quickly: repeatedly takes the type that serves the most unserved wants.
TypeSet greedy_cover(const CoverProblem& problem, std::span<const TypeSet> wants);

/// Returns `cover` without redundant types; those with the lowest score are removed first.
TypeSet without_idle_types(const CoverProblem& problem, std::span<const TypeSet> wants, TypeSet cover);

/// Local search for smaller covers, for problems too large for an exact search. Drops one type, then swaps
/// types until every want is served again; wants that remain unserved gain weight. The result is
/// deterministic.
class CoverDescent {
public:
    CoverDescent(const CoverProblem& problem, std::span<const TypeSet> wants, TypeSet cover);

    /// Returns the smallest cover found before `steps` ran out.
    TypeSet run(Steps& steps);

private:
    void put(std::size_t type);
    void drop(std::size_t type);
    void forget_served();
    /// Returns the chosen type whose removal costs the least; of equals, the one that was unchanged for
    /// longest.
    std::size_t cheapest() const;
    std::size_t remedy(TypeSet want, std::size_t not_this) const;
    void polish();

    static constexpr std::size_t none = max_types;

    const CoverProblem& problem_;
    std::span<const TypeSet> wants_;
    std::array<std::vector<std::uint32_t>, max_types> served_by_;  ///< indices of the wants with the type
    std::vector<std::uint32_t> weight_;                            ///< of each want
    std::vector<std::uint8_t> times_served_;
    std::vector<std::uint32_t> unserved_;  ///< may contain wants that have been served since
    /// Of a chosen type, the weight of the wants that it alone serves; of any other type, the weight of the
    /// unserved wants that it would serve.
    std::array<std::int64_t, max_types> value_{};
    std::array<std::uint64_t, max_types> changed_{};
    TypeSet chosen_ = 0;
    TypeSet best_;
    std::size_t just_put_ = none;
    std::uint64_t round_ = 0;
    std::uint64_t work_ = 0;  ///< steps since the budget was last charged
};

}  // namespace caribou::negotiation
