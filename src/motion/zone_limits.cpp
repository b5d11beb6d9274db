#include "motion/zone_limits.hpp"

#include <algorithm>
#include <cmath>

#include "motion/motion_settings.hpp"

namespace caribou::motion {
namespace {

constexpr double a_bit = 0.002;    // m; way after which the distance must not be less
constexpr double rounding = 1e-9;  // m

double center_speed(const WheelSpeeds& speeds) { return (speeds.right + speeds.left) / 2.0; }

}  // namespace

ZoneLimit zone_limit(const PlacedZones& zones, const MotionNearZones& robot, const MotionSettings& settings) {
    ZoneLimit limit;
    if (zones.empty()) return limit;
    const Pose pose = composed(zones.odom_in_map, robot.pose);
    const bool moves = center_speed(robot.speeds) != 0.0;
    // Rolled before the next step can react.
    const double rolls = std::abs(center_speed(robot.driven)) * 2.0 * to_seconds(settings.period);
    const double far = settings.level_3 * settings.level_3 / settings.stop_deceleration + 1.0;
    for (const Zone& zone : *zones.zones) {
        const double gap = signed_distance(zone.corners, position(pose)) - robot.radius;
        if (gap > far) continue;
        if (zone.kind == ZoneKind::speed) {
            const double room = std::max(0.0, gap - rolls);
            limit.cap = std::min(
                limit.cap, std::sqrt(zone.speed * zone.speed + 2.0 * settings.stop_deceleration * room));
            continue;
        }
        if (!moves) continue;
        const double room = gap - settings.stop_zone;
        if (room <= 0.0) {
            const Vec2 soon =
                position(pose) + towards(pose.heading) * std::copysign(a_bit, center_speed(robot.speeds));
            const bool leaves = signed_distance(zone.corners, soon) - robot.radius >= gap - rounding;
            limit.stops |= !leaves;
            limit.cap = std::min(limit.cap, leaves ? settings.creep_speed : 0.0);
        } else {
            const double braking = std::sqrt(2.0 * settings.stop_deceleration * std::max(0.0, room - rolls));
            limit.cap = std::min(limit.cap, std::max(settings.creep_speed, braking));
        }
    }
    return limit;
}

}  // namespace caribou::motion
