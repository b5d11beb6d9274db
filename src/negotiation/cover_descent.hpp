#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "negotiation/cover.hpp"

namespace caribou::negotiation {

/// A cover that is quickly found: always the type that serves the most of those not yet served.
TypeSet greedy_cover(const CoverProblem& problem, std::span<const TypeSet> wants);

/// The same without types that are not needed, the worst of them going first.
TypeSet without_idle_types(const CoverProblem& problem, std::span<const TypeSet> wants, TypeSet cover);

/// Looks for smaller covers where a search for the best would never end: leaves one type out, then
/// swaps types until everybody is served again; wants that stay unserved grow heavier. The result
/// depends on the problem alone.
class CoverDescent {
public:
    CoverDescent(const CoverProblem& problem, std::span<const TypeSet> wants, TypeSet cover);

    /// The smallest cover that it came across.
    TypeSet run(Steps& steps);

private:
    void put(std::size_t type);
    void drop(std::size_t type);
    void forget_served();
    /// The chosen type whose absence hurts least, the longest unchanged one of equals.
    std::size_t cheapest() const;
    std::size_t remedy(TypeSet want, std::size_t not_this) const;
    void polish();

    static constexpr std::size_t none = max_types;

    const CoverProblem& problem_;
    std::span<const TypeSet> wants_;
    std::array<std::vector<std::uint32_t>, max_types> served_by_;  ///< the wants that have the type
    std::vector<std::uint32_t> weight_;                            ///< of each want
    std::vector<std::uint8_t> times_served_;
    std::vector<std::uint32_t> unserved_;  ///< may hold some that are served meanwhile
    /// Of a chosen type the weight of what it alone serves; of another that of what it would serve.
    std::array<std::int64_t, max_types> value_{};
    std::array<std::uint64_t, max_types> changed_{};
    TypeSet chosen_ = 0;
    TypeSet best_;
    std::size_t just_put_ = none;
    std::uint64_t round_ = 0;
    std::uint64_t work_ = 0;  ///< steps since the last look at the budget
};

}  // namespace caribou::negotiation
