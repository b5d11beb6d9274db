#pragma once

// Reference implementation of the choice that tries every set of types. choice.hpp is compared with it in
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

/// Returns the best choice by examining all sets of one type, all of two, and so on. Takes time exponential
/// in the number of types.
PlainChoice choose_plainly(const ChoiceProblem& problem);

}  // namespace caribou::negotiation
