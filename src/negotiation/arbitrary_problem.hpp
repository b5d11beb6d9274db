#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "negotiation/choice.hpp"

/// Problems from a seed, for tests and benchmarks.
namespace caribou::negotiation {

/// `offers` types `t00`, `t01`, ... of equal weight, and nobody who wants them.
ChoiceProblem problem_of(std::size_t offers);

/// As people choose: each of `demands` lists one to six types, and a few are popular: the type that is
/// drawn is the k-th with a probability that falls as 1/k does. What is listed first weighs most.
ChoiceProblem skewed_problem(Random& random, std::size_t offers, std::size_t demands);

/// As nobody chooses, and hard to solve: each lists `listed` types, all equally likely.
ChoiceProblem uniform_problem(Random& random, std::size_t offers, std::size_t demands, std::size_t listed);

}  // namespace caribou::negotiation
