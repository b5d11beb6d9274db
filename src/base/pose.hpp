#pragma once

#include <cmath>
#include <numbers>

namespace caribou {

/// A position and a heading on the floor. In a robot's own frame x points ahead and y to the left. Headings
/// are measured counterclockwise from the x axis.
struct Pose {
    double x = 0.0;        ///< m
    double y = 0.0;        ///< m
    double heading = 0.0;  ///< rad

    friend bool operator==(const Pose&, const Pose&) = default;
};

/// Returns the equivalent angle in [-pi, pi].
inline double wrapped_angle(double radians) { return std::remainder(radians, 2.0 * std::numbers::pi); }

}  // namespace caribou
