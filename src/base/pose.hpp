#pragma once

#include <cmath>
#include <numbers>

namespace caribou {

/// A place on the floor and a direction there. x ahead and y to the left where it is about a robot's
/// own frame; headings grow to the left, from the x axis.
struct Pose {
    double x = 0.0;        ///< m
    double y = 0.0;        ///< m
    double heading = 0.0;  ///< rad

    friend bool operator==(const Pose&, const Pose&) = default;
};

/// The same direction, in [-pi, pi].
inline double wrapped_angle(double radians) { return std::remainder(radians, 2.0 * std::numbers::pi); }

}  // namespace caribou
