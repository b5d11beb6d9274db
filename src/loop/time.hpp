#pragma once

#include <chrono>

namespace caribou {

using Duration = std::chrono::nanoseconds;

/// The time line of Instant. It has no now(): clocks are passed in (loop/clock.hpp).
struct Monotonic {
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<Monotonic, Duration>;
    static constexpr bool is_steady = true;
};

/// A point on a monotonic time line, which never jumps: for intervals, deadlines and ages.
using Instant = std::chrono::time_point<Monotonic, Duration>;

/// The time of day, which users and other machines can set at any moment: for timestamps only.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

constexpr double to_seconds(Duration d) { return std::chrono::duration<double>(d).count(); }

/// Returns the duration in nanoseconds, clamped to the representable range. NaN becomes zero.
Duration from_seconds(double seconds);

constexpr double to_unix_seconds(WallTime t) { return to_seconds(t.time_since_epoch()); }

}  // namespace caribou
