#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "give_up.hpp"
#include "negotiation/arbitrary_problem.hpp"
#include "negotiation/plain_choice.hpp"
#include "negotiation_figures.hpp"

namespace caribou::bench {
namespace {

using namespace negotiation;

/// Returns the CPU time of this thread: a choice does not block.
Seconds worked() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Returns the median CPU time of one call in milliseconds, over `rounds`.
template <class Once>
double milliseconds(int rounds, Once once) {
    std::vector<double> samples;
    for (int i = 0; i < rounds; ++i) {
        const Seconds began = worked();
        once();
        samples.push_back(Seconds(worked() - began).count() * 1e3);
    }
    return median(samples);
}

ChoiceProblem one_each(std::size_t offers, std::size_t demands) {
    Random random(1);
    return uniform_problem(random, offers, demands, 1);
}

}  // namespace

void solve_16x1000_ms(const Report& report, const Effort&) {
    const ChoiceProblem problem = one_each(16, 1000);
    const Choice choice = choose(problem);
    const PlainChoice plain = choose_plainly(problem);
    if (choice.published != plain.published) give_up("the choice is not that of the exhaustive search");
    report.add({.metric = "solve_16x1000_ms",
                .value = milliseconds(101, [&] { static_cast<void>(choose(problem)); }),
                .unit = "ms",
                .floor = milliseconds(5, [&] { static_cast<void>(choose_plainly(problem)); })});
}

void solve_64x1000_skewed_ms(const Report& report, const Effort&) {
    double worst = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        const ChoiceProblem problem = skewed_problem(random, 64, 1000);
        if (!choose(problem).is_proven) give_up(fmt::format("seed {} is not solved within the budget", seed));
        worst = std::max(worst, milliseconds(11, [&] { static_cast<void>(choose(problem)); }));
    }
    report.add({.metric = "solve_64x1000_skewed_ms", .value = worst, .unit = "ms"});
}

void adversarial_worst_ms(const Report& report, const Effort&) {
    double worst = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        const std::size_t listed = seed % 2 == 0 ? 3 : 5;
        const ChoiceProblem problem = uniform_problem(random, 64, 1000, listed);
        const Choice choice = choose(problem);
        if (!choice.success || choice.at_least > choice.published.size()) give_up("the answer is none");
        report.progress(
            fmt::format("{} of 64: {} types, {} at least", listed, choice.published.size(), choice.at_least));
        worst = std::max(worst, milliseconds(5, [&] { static_cast<void>(choose(problem)); }));
    }
    report.add({.metric = "adversarial_worst_ms", .value = worst, .unit = "ms"});
}

}  // namespace caribou::bench
