#include "negotiation/cover.hpp"

#include <algorithm>

#include "negotiation/cover_descent.hpp"
#include "negotiation/cover_search.hpp"

namespace caribou::negotiation {
namespace {

using Wants = std::vector<TypeSet>;

/// What is left of a problem when all that is plain has been done.
class Reduction {
public:
    Reduction(const CoverProblem& problem, Steps& steps)
        : problem_(problem), steps_(steps), wants(problem.wants) {
        do {
            drop_implied_wants();
        } while (take_forced_types() || drop_dominated_types());
    }

    /// The wants that hang together by types that they share, one list after another.
    std::vector<Wants> components() const;

private:
    const CoverProblem& problem_;
    Steps& steps_;

public:
    Wants wants;
    TypeSet forced = 0;  ///< types that every best cover has

private:
    void drop_implied_wants();
    bool take_forced_types();
    bool drop_dominated_types();
};

/// Who is served by whatever serves another needs no further thought.
void Reduction::drop_implied_wants() {
    std::ranges::sort(wants, {}, [](TypeSet want) { return std::pair(size_of(want), want); });
    wants.erase(std::ranges::unique(wants).begin(), wants.end());
    Wants kept;
    for (const TypeSet want : wants) {
        // Without steps left this is only a shortcut, which can be done without.
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

/// A type is dominated by one of no lower score that serves whoever it serves: a cover with both has one
/// too many, and one with the dominated type gets better with the other in its place.
bool Reduction::drop_dominated_types() {
    if (!steps_.take(wants.size() * 8)) return false;
    // For each type, the types that are in every want that it is in.
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
        // Every component gets an equal share of what is left, and what others did not need.
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
