#pragma once

#include <cmath>
#include <numbers>

#include "base/geometry.hpp"

namespace caribou::marine {

/// Headings are in degrees, clockwise from north.

/// Returns the angle in [0, 360).
inline double folded_360(double degrees) {
    const double rest = std::fmod(degrees, 360);
    return rest < 0 ? rest + 360 : rest;
}

/// Returns the angle in [-180, 180).
inline double folded_180(double degrees) { return folded_360(degrees + 180) - 180; }

inline double in_radians(double degrees) { return degrees * std::numbers::pi / 180; }
inline double in_degrees(double radians) { return radians * 180 / std::numbers::pi; }

/// Returns the heading of a vector; 0 for the zero vector.
inline double heading_of(Vec2 v) { return v == Vec2{} ? 0 : folded_360(in_degrees(std::atan2(v.x, v.y))); }
inline Vec2 unit_vector(double heading) {
    return {std::sin(in_radians(heading)), std::cos(in_radians(heading))};
}

}  // namespace caribou::marine
