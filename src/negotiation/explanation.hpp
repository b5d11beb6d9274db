#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "negotiation/choice.hpp"

namespace caribou::negotiation {

/// Why a type is published.
struct Reason {
    std::size_t offer;
    double weight;                          ///< its own and that of all who list it
    std::size_t listed_by;                  ///< demands
    std::optional<std::size_t> only_for{};  ///< the first demand to which nothing else that is offered suits
};

/// The best choice that is not the one made. One of equal size has less weight, or the same and comes
/// later in order of keys.
struct RunnerUp {
    std::vector<std::size_t> published;
    std::size_t more_types;
    double less_weight;  ///< below 0: it would please more, but takes more types or a switch
    bool is_proven;
};

struct Explanation {
    std::vector<Reason> reasons;          ///< of what is published, in order of keys
    std::optional<RunnerUp> runner_up{};  ///< none: every type is the only one for somebody
};

/// Takes about as long as one choice for each published type: for people, not for every negotiation.
Explanation explain(const ChoiceProblem& problem, const Choice& choice,
                    std::uint64_t budget = ChoiceOptions{}.budget);

}  // namespace caribou::negotiation
