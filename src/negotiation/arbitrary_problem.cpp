#include "negotiation/arbitrary_problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace caribou::negotiation {
namespace {

template <class Draw>
Demand demand_of(std::size_t number, std::size_t listed, Draw draw) {
    Demand demand{.who = fmt::format("s{}", number), .wants = {}};
    while (demand.wants.size() < listed) {
        const std::size_t offer = draw();
        if (!demand.lists(offer))
            demand.wants.push_back({offer, static_cast<double>(listed - demand.wants.size())});
    }
    return demand;
}

}  // namespace

ChoiceProblem problem_of(std::size_t offers) {
    ChoiceProblem problem;
    for (std::size_t i = 0; i < offers; ++i)
        problem.offers.push_back({.key = {"std_msgs/msg/String", fmt::format("t{:02}", i)}, .weight = 1});
    return problem;
}

ChoiceProblem skewed_problem(Random& random, std::size_t offers, std::size_t demands) {
    ChoiceProblem problem = problem_of(offers);
    // Inverts the cumulative sum of 1/k, which is approximately a logarithm.
    const double scale = std::log(static_cast<double>(offers) + 1);
    const auto draw = [&] {
        return std::min(static_cast<std::size_t>(std::exp(random.unit() * scale)) - 1, offers - 1);
    };
    for (std::size_t i = 0; i < demands; ++i) {
        const std::size_t listed = 1 + random.below(std::min<std::size_t>(6, offers));
        problem.demands.push_back(demand_of(i, listed, draw));
    }
    return problem;
}

ChoiceProblem uniform_problem(Random& random, std::size_t offers, std::size_t demands, std::size_t listed) {
    ChoiceProblem problem = problem_of(offers);
    for (std::size_t i = 0; i < demands; ++i)
        problem.demands.push_back(demand_of(i, listed, [&] { return random.below(offers); }));
    return problem;
}

}  // namespace caribou::negotiation
