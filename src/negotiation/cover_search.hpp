#pragma once

#include <vector>

#include "negotiation/cover.hpp"

namespace caribou::negotiation {

/// Branch and bound over one component. Takes the want with the fewest types left and tries each of
/// them, the most wanted first; what was tried is forbidden in the branches after it.
class CoverSearch {
public:
    CoverSearch(const CoverProblem& problem, Steps& steps) : problem_(problem), steps_(steps) {}

    /// Improves on `best`, which is a cover. Returns whether the answer is proven to be the best.
    bool improve(std::span<const TypeSet> wants, TypeSet& best);
    /// What the first look proved: every cover has at least that many.
    std::size_t at_least() const { return at_least_; }

private:
    using Wants = std::vector<TypeSet>;

    void visit(Wants& wants, TypeSet chosen, std::size_t depth);
    /// Takes every type that is the only one left for some want. False: some want has none left.
    bool take_forced(Wants& wants, TypeSet& chosen) const;
    void keep_if_better(TypeSet chosen);
    /// Whether nothing below can be better than the best. May narrow `usable` to the types that a
    /// better cover can consist of.
    bool hopeless(const Wants& wants, TypeSet chosen, TypeSet& usable, std::size_t depth);
    Score best_of(TypeSet types, std::size_t count) const;
    void branch(const Wants& wants, TypeSet chosen, std::size_t depth);

    const CoverProblem& problem_;
    Steps& steps_;
    TypeSet best_ = 0;
    Score best_score_{};
    std::size_t at_least_ = 0;
    bool out_of_steps_ = false;
    std::array<std::uint32_t, max_types> degree_{};  ///< wants that have the type, in the node at hand
};

/// How often each type is wanted.
std::array<std::uint32_t, max_types> degrees(std::span<const TypeSet> wants);

/// A lower bound: wants that have nothing in common need a type each. `maximum` becomes the sum of the
/// greatest scores of each, and `together` all their types.
struct Disjoint {
    std::size_t count = 0;
    TypeSet together = 0;
    Score maximum{};
};
Disjoint disjoint_wants(std::span<const TypeSet> wants, const CoverProblem& problem);

/// Another one, from the linear program's dual: a want weighs 1 / (how often its most wanted type is
/// wanted), so that no type ever covers more than a weight of 1.
std::size_t dual_bound(std::span<const TypeSet> wants, const std::array<std::uint32_t, max_types>& degree);

}  // namespace caribou::negotiation
