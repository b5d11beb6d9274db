#pragma once

#include <vector>

#include "negotiation/cover.hpp"

namespace caribou::negotiation {

/// Branch and bound over one component. Takes the want with the fewest types left and tries each of them, the
/// most wanted first; types already tried are excluded from the later branches.
class CoverSearch {
public:
    CoverSearch(const CoverProblem& problem, Steps& steps) : problem_(problem), steps_(steps) {}

    /// Improves on `best`, which must be a cover. Returns whether the result is proven to be optimal.
    bool improve(std::span<const TypeSet> wants, TypeSet& best);
    /// Returns the lower bound found at the root: every cover has at least that many types.
    std::size_t at_least() const { return at_least_; }

private:
    using Wants = std::vector<TypeSet>;

    void visit(Wants& wants, TypeSet chosen, std::size_t depth);
    /// Takes every type that is the only one left for some want. Returns false if some want has none left.
    bool take_forced(Wants& wants, TypeSet& chosen) const;
    void keep_if_better(TypeSet chosen);
    /// Returns whether no cover below this node can be better than the best one. May narrow `usable` to the
    /// types that a better cover can consist of.
    bool hopeless(const Wants& wants, TypeSet chosen, TypeSet& usable, std::size_t depth);
    Score best_of(TypeSet types, std::size_t count) const;
    void branch(const Wants& wants, TypeSet chosen, std::size_t depth);

    const CoverProblem& problem_;
    Steps& steps_;
    TypeSet best_ = 0;
    Score best_score_{};
    std::size_t at_least_ = 0;
    bool out_of_steps_ = false;
    std::array<std::uint32_t, max_types> degree_{};  ///< wants that contain the type, at the current node
};

/// Returns for each type the number of wants that contain it.
std::array<std::uint32_t, max_types> degrees(std::span<const TypeSet> wants);

/// A lower bound: wants that share no type need one type each. `together` is the union of their types,
/// `maximum` the sum of the greatest score within each of them.
struct Disjoint {
    std::size_t count = 0;
    TypeSet together = 0;
    Score maximum{};
};
/// Selects disjoint wants greedily, the smallest first, and returns the bound they give.
Disjoint disjoint_wants(std::span<const TypeSet> wants, const CoverProblem& problem);

/// Returns another lower bound, from the dual of the linear program: a want weighs 1 / (the number of wants
/// that contain its most wanted type), so no type covers a total weight above 1.
std::size_t dual_bound(std::span<const TypeSet> wants, const std::array<std::uint32_t, max_types>& degree);

}  // namespace caribou::negotiation
