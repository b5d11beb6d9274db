#pragma once

#include <cmath>

#include "base/pose.hpp"

namespace caribou {

/// A point or a vector on the floor, in meters.
struct Vec2 {
    double x = 0;
    double y = 0;

    friend bool operator==(const Vec2&, const Vec2&) = default;
    friend Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
    friend Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
    friend Vec2 operator*(Vec2 a, double k) { return {a.x * k, a.y * k}; }
};

inline double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
inline double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
inline double length(Vec2 a) { return std::sqrt(dot(a, a)); }
inline double distance(Vec2 a, Vec2 b) { return length(a - b); }
/// Returns the unit vector with the given heading.
inline Vec2 towards(double heading) { return {std::cos(heading), std::sin(heading)}; }

inline Vec2 position(const Pose& pose) { return {pose.x, pose.y}; }
inline Pose pose_at(Vec2 at, double heading) { return {at.x, at.y, heading}; }

/// Returns `pose`, which is given in `frame`, in the frame in which `frame` itself is given.
inline Pose composed(const Pose& frame, const Pose& pose) {
    const Vec2 ahead = towards(frame.heading);
    return {frame.x + pose.x * ahead.x - pose.y * ahead.y, frame.y + pose.x * ahead.y + pose.y * ahead.x,
            wrapped_angle(frame.heading + pose.heading)};
}
/// Returns the frame in which `inner` is at `outer`: composed(frame_between(outer, inner), inner) equals
/// `outer`.
inline Pose frame_between(const Pose& outer, const Pose& inner) {
    const double turned = wrapped_angle(outer.heading - inner.heading);
    const Pose moved = composed({0, 0, turned}, inner);
    return {outer.x - moved.x, outer.y - moved.y, turned};
}

/// Returns the angle in radians by which a robot at `from` has to turn left to face `to`, in [-pi, pi].
inline double bearing_of(const Pose& from, Vec2 to) {
    const Vec2 way = to - position(from);
    return wrapped_angle(std::atan2(way.y, way.x) - from.heading);
}

}  // namespace caribou
