#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "negotiation/choice.hpp"

namespace caribou::negotiation {

/// Why a type is published.
struct Reason {
    std::size_t offer;
    double weight;                          ///< its own plus that of all demands that list it
    std::size_t listed_by;                  ///< number of demands
    std::optional<std::size_t> only_for{};  ///< first demand that no other offered type suits
};

/// The best choice other than the one made. If it has the same size, it has less weight, or the same weight
/// and a later position in order of keys.
struct RunnerUp {
    std::vector<std::size_t> published;
    std::size_t more_types;
    double less_weight;  ///< negative if it has more weight, but takes more types or a switch
    bool is_proven;
};

struct Explanation {
    std::vector<Reason> reasons;          ///< one for each published type, in order of keys
    std::optional<RunnerUp> runner_up{};  ///< nullopt if every published type is the only one for some demand
};

/// Returns the reasons for a choice and its runner-up. Takes about as long as one choice for each published
/// type: meant for display, not for every negotiation.
Explanation explain(const ChoiceProblem& problem, const Choice& choice,
                    std::uint64_t budget = ChoiceOptions{}.budget);

}  // namespace caribou::negotiation
