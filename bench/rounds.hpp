#pragma once

#include <algorithm>
#include <array>
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

/// Measures the floor and each other side in turn (floor, first, second, floor, …) in rounds short enough
/// that all of a turn see the same machine state, and returns for each side the pair with the median ratio.
/// On a shared machine, separate medians or minima would mostly show which side was disturbed more often:
/// rounds can differ by half.
template <class MeasureFloor, class... MeasureValue>
std::array<Pair, sizeof...(MeasureValue)> interleave_all(const Effort& effort, Seconds round,
                                                         MeasureFloor measure_floor,
                                                         MeasureValue... measure_value) {
    constexpr int warm_up = 5;
    const int count = std::max(11, static_cast<int>(effort.per_side / round));
    std::array<std::vector<Pair>, sizeof...(MeasureValue)> pairs;
    for (int i = -warm_up; i < count; ++i) {
        const double floor = measure_floor(round);
        const std::array values{measure_value(round)...};
        for (std::size_t side = 0; i >= 0 && side < values.size(); ++side)
            pairs[side].push_back({.floor = floor, .value = values[side]});
    }
    std::array<Pair, sizeof...(MeasureValue)> middle{};
    for (std::size_t side = 0; side < middle.size(); ++side) {
        const auto place = pairs[side].begin() + count / 2;
        std::ranges::nth_element(pairs[side], place, {}, &Pair::ratio);
        middle[side] = *place;
    }
    return middle;
}

/// Same for one other side.
template <class MeasureFloor, class MeasureValue>
Pair interleave(const Effort& effort, Seconds round, MeasureFloor measure_floor, MeasureValue measure_value) {
    return interleave_all(effort, round, measure_floor, measure_value)[0];
}

}  // namespace caribou::bench
