#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace caribou::bench {

using Seconds = std::chrono::duration<double>;
using SteadyTime = std::chrono::steady_clock::time_point;

inline SteadyTime now() { return std::chrono::steady_clock::now(); }

inline double microseconds(SteadyTime::duration span) { return Seconds(span).count() * 1e6; }

/// The middle one of the samples, which are put in another order.
inline double median(std::vector<double>& samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

/// How long each side is measured, and in how many rounds.
struct Effort {
    Seconds per_side{3};

    /// Short rounds, so that both sides see the same machine, and many, so that a disturbed one
    /// does not show in the median. Below the broker's patience with silent readers (5 s).
    int rounds() const { return std::max(9, static_cast<int>(std::ceil(per_side.count()))); }
    Seconds round() const { return per_side / rounds(); }
};

struct Pair {
    double value;
    double floor;
};

/// Measures both sides in turns, floor, value, floor, value, …, and returns the median of each
/// side's rounds: other programs' bursts hit both sides alike, and a few bad rounds count for nothing.
template <class MeasureFloor, class MeasureValue>
Pair interleave(const Effort& effort, MeasureFloor measure_floor, MeasureValue measure_value) {
    std::vector<double> floors;
    std::vector<double> values;
    for (int i = 0; i < effort.rounds(); ++i) {
        floors.push_back(measure_floor(effort.round()));
        values.push_back(measure_value(effort.round()));
    }
    return {.value = median(values), .floor = median(floors)};
}

}  // namespace caribou::bench
