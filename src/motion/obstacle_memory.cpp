#include "motion/obstacle_memory.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::motion {

void ObstacleMemory::see(const Pose& robot, const Pose& lidar, const LidarScan& scan, Instant now) {
    const Vec2 from = position(robot);
    std::erase_if(
        seen_, [&](const Seen& each) { return now - each.last > lasts || distance(each.at, from) > reach_; });
    const Vec2 ahead = towards(robot.heading);
    const Vec2 origin =
        from + Vec2{lidar.x * ahead.x - lidar.y * ahead.y, lidar.x * ahead.y + lidar.y * ahead.x};
    const double first = robot.heading + lidar.heading + scan.first_angle;
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        if (!(scan.ranges[i] < reach_)) continue;
        const Vec2 at =
            origin + towards(first + scan.angle_step * static_cast<double>(i)) * double{scan.ranges[i]};
        if (distance(at, from) <= reach_) keep(at, now);
    }
}

void ObstacleMemory::keep(Vec2 at, Instant now) {
    const auto near = std::ranges::find_if(seen_, [&](const Seen& each) {
        return std::abs(each.at.x - at.x) < grain && std::abs(each.at.y - at.y) < grain;
    });
    if (near == seen_.end())
        seen_.push_back({at, now});
    else
        *near = {at, now};
}

void ObstacleMemory::add_to(Clearance& clearance, const Pose& robot) const {
    const Vec2 ahead = towards(robot.heading);
    for (const Seen& each : seen_) {
        const Vec2 way = each.at - position(robot);
        clearance.add_point(dot(way, ahead), cross(ahead, way));
    }
}

}  // namespace caribou::motion
