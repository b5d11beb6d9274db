#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace caribou::bench {

using Seconds = std::chrono::duration<double>;
using SteadyTime = std::chrono::steady_clock::time_point;

inline SteadyTime now() { return std::chrono::steady_clock::now(); }

inline double microseconds(SteadyTime::duration span) { return Seconds(span).count() * 1e6; }

/// Returns the median; reorders the samples.
inline double median(std::vector<double>& samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

/// How much is measured.
struct Effort {
    Seconds per_side{3};  ///< for each side of a comparison
    int count = 1000;     ///< trials of a promise with a limit
};

/// The two sides of a comparison, in the same unit.
struct Pair {
    double floor;
    double value;

    double ratio() const { return value / floor; }
};

/// Measures both sides in turn (floor, value, floor, value, …) in rounds short enough that both of a pair see
/// the same machine state, and returns the pair with the median ratio. On a shared machine, separate medians
/// or minima would mostly show which side was disturbed more often: rounds can differ by half.
template <class MeasureFloor, class MeasureValue>
Pair interleave(const Effort& effort, Seconds round, MeasureFloor measure_floor, MeasureValue measure_value) {
    constexpr int warm_up = 5;
    const int count = std::max(11, static_cast<int>(effort.per_side / round));
    std::vector<Pair> pairs;
    for (int i = -warm_up; i < count; ++i) {
        const Pair pair{.floor = measure_floor(round), .value = measure_value(round)};
        if (i >= 0) pairs.push_back(pair);
    }
    const auto middle = pairs.begin() + count / 2;
    std::ranges::nth_element(pairs, middle, {}, &Pair::ratio);
    return *middle;
}

}  // namespace caribou::bench
