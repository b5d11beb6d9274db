#include "negotiation/cover.hpp"

#include <algorithm>

#include "negotiation/cover_descent.hpp"
#include "negotiation/cover_search.hpp"

namespace caribou::negotiation {
namespace {

using Wants = std::vector<TypeSet>;

/// The part of a problem that remains after all simple reductions.
class Reduction {
public:
    Reduction(const CoverProblem& problem, Steps& steps)
        : problem_(problem), steps_(steps), wants(problem.wants) {
        do {
            drop_implied_wants();
        } while (take_forced_types() || drop_dominated_types());
    }

    /// Returns the wants grouped into connected components; wants that share a type are connected.
    std::vector<Wants> components() const;

private:
    const CoverProblem& problem_;
    Steps& steps_;

public:
    Wants wants;
    TypeSet forced = 0;  ///< types that every best cover contains

private:
    void drop_implied_wants();
    bool take_forced_types();
    bool drop_dominated_types();
};

/// Removes wants that are supersets of another want: a type that serves the latter serves them too.
void Reduction::drop_implied_wants() {
    std::ranges::sort(wants, {}, [](TypeSet want) { return std::pair(size_of(want), want); });
    wants.erase(std::ranges::unique(wants).begin(), wants.end());
    Wants kept;
    for (const TypeSet want : wants) {
        // An optimization only; skipped when no steps are left.
        const bool is_implied = steps_.take(kept.size() / 8 + 1) &&
                                std::ranges::any_of(kept, [&](TypeSet k) { return (k & want) == k; });
        if (!is_implied) kept.push_back(want);
    }
    wants = std::move(kept);
}

bool Reduction::take_forced_types() {
    TypeSet single = 0;
    for (const TypeSet want : wants)
        if (std::has_single_bit(want)) single |= want;
    forced |= single;
    std::erase_if(wants, [&](TypeSet want) { return (want & single) != 0; });
    return single != 0;
}

/// Removes dominated types. A type is dominated by one of no lower score that serves all wants it serves: a
/// cover with both has one too many, and a cover with the dominated type improves if it is replaced.
bool Reduction::drop_dominated_types() {
    if (!steps_.take(wants.size() * 8)) return false;
    // For each type, the types that occur in every want in which it occurs.
    std::array<TypeSet, max_types> always_beside;
    always_beside.fill(~TypeSet{0});
    TypeSet all = 0;
    for (const TypeSet want : wants) {
        all |= want;
        for_each_type(want, [&](std::size_t type) { always_beside[type] &= want; });
    }
    TypeSet dominated = 0;
    for_each_type(all, [&](std::size_t type) {
        for_each_type(always_beside[type] & ~only(type), [&](std::size_t other) {
            if (problem_.score(other) > problem_.score(type)) dominated |= only(type);
        });
    });
    for (TypeSet& want : wants) want &= ~dominated;
    return dominated != 0;
}

std::vector<Wants> Reduction::components() const {
    std::vector<TypeSet> types;
    for (const TypeSet want : wants) {
        TypeSet joined = want;
        std::erase_if(types, [&](TypeSet component) {
            if ((component & joined) == 0) return false;
            joined |= component;
            return true;
        });
        types.push_back(joined);
    }
    std::vector<Wants> result(types.size());
    for (const TypeSet want : wants)
        for (std::size_t i = 0; i < types.size(); ++i)
            if ((want & types[i]) != 0) result[i].push_back(want);
    return result;
}

TypeSet better_of(const CoverProblem& problem, TypeSet a, TypeSet b) {
    if (size_of(a) != size_of(b)) return size_of(a) < size_of(b) ? a : b;
    return problem.score_of(a) > problem.score_of(b) ? a : b;
}

}  // namespace

Cover smallest_cover(const CoverProblem& problem, const CoverOptions& options) {
    Steps steps(options.budget);
    const Reduction reduced(problem, steps);
    Cover cover{.types = reduced.forced, .at_least = size_of(reduced.forced)};
    const std::vector<Wants> components = reduced.components();
    for (std::size_t i = 0; i < components.size(); ++i) {
        const Wants& wants = components[i];
        // Each component gets an equal share of the remaining steps, including those that earlier components
        // left over.
        const std::uint64_t share = steps.left() / (components.size() - i);
        Steps searching(share / 2);
        TypeSet best = greedy_cover(problem, wants);
        if (covers(options.start_from, wants)) {
            TypeSet all = 0;
            for (const TypeSet want : wants) all |= want;
            best = better_of(problem, best, without_idle_types(problem, wants, options.start_from & all));
        }
        CoverSearch search(problem, searching);
        const bool proven = search.improve(wants, best);
        std::uint64_t taken = share / 2 - searching.left();
        if (!proven) {
            Steps descending(share - taken);
            best = better_of(problem, best, CoverDescent(problem, wants, best).run(descending));
            taken = share - descending.left();
        }
        steps.take(taken);
        cover.types |= best;
        cover.at_least += proven ? size_of(best) : search.at_least();
        cover.proven = cover.proven && proven;
    }
    cover.steps = options.budget - steps.left();
    return cover;
}

}  // namespace caribou::negotiation
