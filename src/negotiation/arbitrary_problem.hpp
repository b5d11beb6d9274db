#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "negotiation/choice.hpp"

/// Generates choice problems from a seed, for tests and benchmarks.
namespace caribou::negotiation {

/// Returns a problem with `offers` types named `t00`, `t01`, ..., all of weight 1, and no demands.
ChoiceProblem problem_of(std::size_t offers);

/// Returns a problem with a realistic distribution: each of `demands` lists one to six types, and a few types
/// are popular. The k-th type is drawn with a probability proportional to 1/k. Types listed first have the
/// greatest weight.
ChoiceProblem skewed_problem(Random& random, std::size_t offers, std::size_t demands);

/// Returns a problem that is hard to solve and unlikely in practice: each demand lists `listed` types, all
/// equally likely.
ChoiceProblem uniform_problem(Random& random, std::size_t offers, std::size_t demands, std::size_t listed);

}  // namespace caribou::negotiation
