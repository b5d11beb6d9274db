#pragma once

// The choice as its definition has it, by trying every set of types: the measure for choice.hpp in
// tests and benchmarks.

#include <cstdint>
#include <optional>
#include <vector>

#include "negotiation/choice.hpp"

namespace caribou::negotiation {

struct PlainChoice {
    bool success = false;
    std::vector<std::size_t> published{};  ///< in order of keys
    double weight = 0;
};

/// Level by level: all sets of one type, all of two, ... Takes time exponential in the number of types.
PlainChoice choose_plainly(const ChoiceProblem& problem);

}  // namespace caribou::negotiation
