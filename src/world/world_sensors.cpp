#include <algorithm>
#include <cmath>

#include "world/world.hpp"

namespace caribou::world {
namespace {

Vec2 turned(Vec2 way, Vec2 by) { return {way.x * by.x - way.y * by.y, way.x * by.y + way.y * by.x}; }

}  // namespace

std::optional<WheelTicks> World::encoders(RobotId id) const {
    const SimulatedRobot& robot = robots_[id];
    if (robot.encoders_dead) return std::nullopt;
    const auto ticks = [&](const Wheel& wheel) {
        return static_cast<std::int64_t>(std::floor(wheel.way * robot.model.ticks_per_metre));
    };
    return WheelTicks{ticks(robot.left), ticks(robot.right)};
}

std::span<const float> World::ranges(RobotId id) {
    SimulatedRobot& robot = robots_[id];
    if (robot.ranges_tick == ticks_) return robot.ranges;
    robot.ranges_tick = ticks_;
    const double reach = robot.model.range_reach + robot.model.radius;
    const Vec2 ahead = towards(robot.pose.heading);
    for (std::size_t i = 0; i < robot.ranges.size(); ++i) {
        float& range = robot.ranges[i];
        if (robot.dead_ranges[i]) {
            range = reading::dead;
            continue;
        }
        double nearest = Terrain::no_echo;
        if (!robot.held)
            for (const Vec2 way : robot.range_ways[i])
                nearest = std::min(
                    nearest, terrain_.cast(position(robot.pose), turned(way, ahead), reach, robot.round));
        const double stray = plan_.noise.range * noise(robot, Stray::range, i, ticks_);
        range = nearest == Terrain::no_echo
                    ? reading::no_echo
                    : static_cast<float>(std::max(0.0, nearest - robot.model.radius + stray));
    }
    return robot.ranges;
}

const LidarScan* World::lidar(RobotId id) {
    SimulatedRobot& robot = robots_[id];
    if (robot.lidar_dead) return nullptr;
    if (robot.scan_tick == ticks_) return &robot.scan;
    robot.scan_tick = ticks_;
    robot.scan.at = now();
    robot.scan.reach = robot.model.lidar_reach;
    robot.scan.ranges.resize(robot.beam_ways.size());
    const Vec2 ahead = towards(robot.pose.heading);
    for (std::size_t i = 0; i < robot.beam_ways.size(); ++i) {
        const double met = robot.held ? Terrain::no_echo
                                      : terrain_.cast(position(robot.pose), turned(robot.beam_ways[i], ahead),
                                                      robot.model.lidar_reach, robot.round);
        robot.scan.ranges[i] =
            met == Terrain::no_echo
                ? reading::no_echo
                : static_cast<float>(
                      std::max(0.0, met + plan_.noise.lidar * noise(robot, Stray::lidar, i, ticks_)));
    }
    return &robot.scan;
}

std::optional<Bumpers> World::bumpers(RobotId id) const {
    if (robots_[id].bumpers_dead) return std::nullopt;
    return robots_[id].bumpers;
}

std::optional<Cliffs> World::cliffs(RobotId id) const {
    const SimulatedRobot& robot = robots_[id];
    if (robot.cliffs_dead) return std::nullopt;
    const auto no_floor = [&](double bearing) {
        const Vec2 at = position(robot.pose) + towards(robot.pose.heading + bearing) * robot.model.radius;
        return robot.held || robot.fallen ||
               std::ranges::any_of(plan_.cliffs, [&](const Area& cliff) { return cliff.contains(at); });
    };
    if (plan_.cliffs.empty() && !robot.held) return Cliffs{};
    return Cliffs{no_floor(0.5), no_floor(-0.5), no_floor(2.6), no_floor(-2.6)};
}

std::optional<Imu> World::imu(RobotId id) const {
    const SimulatedRobot& robot = robots_[id];
    if (robot.imu_dead) return std::nullopt;
    return Imu{.yaw_rate = robot.yaw_rate + plan_.noise.yaw_rate * noise(robot, Stray::yaw_rate, 0, ticks_),
               .acceleration = robot.acceleration +
                               plan_.noise.acceleration * noise(robot, Stray::acceleration, 0, ticks_),
               .tilt = robot.fallen ? 0.6
                       : robot.held ? 0.3
                                    : 0};
}

bool World::wheels_on_floor(RobotId robot) const { return !robots_[robot].held && !robots_[robot].fallen; }

Power World::power(RobotId id) const {
    const SimulatedRobot& robot = robots_[id];
    const Battery& battery = robot.model.battery;
    const double level = robot.energy / battery.capacity;
    return {.level = level,
            .volts = battery.empty_volts + (battery.full_volts - battery.empty_volts) * level,
            .amperes = robot.amperes,
            .on_contacts = robot.on_contacts};
}

bool World::sees(const SimulatedRobot& robot, Vec2 at, double reach) const {
    const Vec2 way = at - position(robot.pose);
    const double far = length(way);
    if (robot.held || far > reach) return false;
    return far == 0 ||
           terrain_.cast(position(robot.pose), way * (1 / far), far, robot.round) == Terrain::no_echo;
}

std::vector<CubeSight> World::cubes_in_sight(RobotId id) const {
    const SimulatedRobot& robot = robots_[id];
    std::vector<CubeSight> sights;
    for (CubeId cube = 0; cube < cubes_.size(); ++cube) {
        const Vec2 at = cube_at(cube);
        const double bearing = bearing_of(robot.pose, at);
        if (!cubes_[cube].carrier && std::abs(bearing) <= robot.model.field_of_view / 2 &&
            sees(robot, at, robot.model.cube_sight))
            sights.push_back({cube, bearing, distance(position(robot.pose), at)});
    }
    return sights;
}

std::optional<Pose> World::charger_in_sight(RobotId id) const {
    constexpr double beacon_reach = 3;
    const SimulatedRobot& robot = robots_[id];
    if (!plan_.charger || !charger_present_ || !sees(robot, position(plan_.charger->pose), beacon_reach))
        return std::nullopt;
    return pose_at(turned(position(plan_.charger->pose) - position(robot.pose), towards(-robot.pose.heading)),
                   wrapped_angle(plan_.charger->pose.heading - robot.pose.heading));
}

}  // namespace caribou::world
