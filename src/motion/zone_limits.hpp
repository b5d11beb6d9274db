#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "base/geometry.hpp"
#include "base/zone.hpp"
#include "motion/body.hpp"

namespace caribou::motion {

struct MotionSettings;

/// The zones of a map, and where the robot's odometry is on that map.
struct PlacedZones {
    std::shared_ptr<const std::vector<Zone>> zones{};  ///< null: none
    Pose odom_in_map{};

    bool empty() const { return !zones || zones->empty(); }
    friend bool operator==(const PlacedZones&, const PlacedZones&) = default;
};

/// A robot that wants to move.
struct MotionNearZones {
    Pose pose{};           ///< by odometry
    WheelSpeeds speeds{};  ///< wanted
    WheelSpeeds driven{};  ///< at present
    double radius = 0;     ///< m; of the hull
};

/// How fast the faster wheel may be, in m/s.
struct ZoneLimit {
    double cap = std::numeric_limits<double>::infinity();
    bool stops = false;  ///< by a keep-out zone, which the robot would enter or go deeper into
};

/// Returns the limit by all zones. The hull halts `stop_zone` before a keep-out zone, and from there goes
/// only where its distance does not shrink, at `creep_speed`: out of a zone that was drawn around it, or
/// along its side. Rotating on the spot stays possible. At the side of a zone of either kind it is as slow as
/// `stop_deceleration` needs to obey in time, whatever its direction, because the next order may be any.
ZoneLimit zone_limit(const PlacedZones& zones, const MotionNearZones& robot, const MotionSettings& settings);

}  // namespace caribou::motion
