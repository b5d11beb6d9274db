#include "world/world.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::world {

World::World(WorldPlan plan) : plan_(std::move(plan)), terrain_(plan_) {
    std::ranges::stable_sort(plan_.faults, {}, &Fault::at);
    // Indices of round objects in the terrain: obstacles, then cubes, then robots.
    for (const Obstacle& obstacle : plan_.obstacles)
        terrain_.add_round({.at = obstacle.at, .radius = obstacle.radius});
    for (std::size_t i = 0; i < plan_.obstacles.size(); ++i)
        if (const Obstacle& obstacle = plan_.obstacles[i]; !obstacle.walk.empty()) {
            Walker& walker = walkers_.emplace_back(Walker{.obstacle = i, .stops = {obstacle.at}});
            walker.stops.insert(walker.stops.end(), obstacle.walk.begin(), obstacle.walk.end());
        }
    for (const CubePlace& cube : plan_.cubes)
        cubes_.push_back(
            {.round = terrain_.add_round(
                 {.at = cube.at, .radius = CubePlace::radius, .seen = Terrain::Seen::over_looked})});
}

Result<RobotId> World::add_robot(RobotModel model, std::optional<Pose> at) {
    if (!at) {
        if (next_start_ == plan_.starts.size())
            return fail(Code::not_found, fmt::format("the world has {} start(s), and all are taken; give "
                                                     "the robot a pose, or the world another start",
                                                     plan_.starts.size()));
        at = plan_.starts[next_start_++];
    }
    if (!is_free(plan_, position(*at), model.radius) ||
        !stands_clear(position(*at), model.radius, Terrain::nothing))
        return fail(Code::refused,
                    fmt::format("a robot of {} m does not fit at ({}, {}): the place is occupied",
                                2 * model.radius, at->x, at->y));
    if (plan_.battery) {
        const Battery usual;
        model.battery.capacity = usual.capacity * plan_.battery->minutes / BatteryPlan{}.minutes;
        model.battery.level = plan_.battery->level;
    }
    SimulatedRobot robot{.model = std::move(model), .id = robots_.size(), .pose = *at};
    robot.round = terrain_.add_round({.at = position(*at), .radius = robot.model.radius});
    robot.energy = robot.model.battery.capacity * robot.model.battery.level;
    robot.dead_ranges.resize(robot.model.ranges.size());
    robot.ranges.resize(robot.model.ranges.size());
    for (std::size_t i = 0; i < robot.model.beams; ++i)
        robot.beam_ways.push_back(
            towards(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(robot.model.beams)));
    for (const RangeSensor& sensor : robot.model.ranges) {
        auto& ways = robot.range_ways.emplace_back();
        for (std::size_t i = 0; i < ways.size(); ++i)
            ways[i] = towards(sensor.bearing + (static_cast<double>(i) - 2) * 0.16);
    }
    power_up(robot);
    robots_.push_back(std::move(robot));
    return robots_.size() - 1;
}

void World::advance(Duration step_by) {
    for (rest_ += step_by; rest_ >= tick; rest_ -= tick) step();
}

void World::step() {
    ++ticks_;
    run_faults();
    for (Walker& walker : walkers_) step_walker(walker);
    for (SimulatedRobot& robot : robots_) step_robot(robot);
}

void World::drive(RobotId robot, WheelSpeeds wanted) {
    robots_[robot].left.wanted = wanted.left;
    robots_[robot].right.wanted = wanted.right;
}

WheelSpeeds World::wheel_speeds(RobotId robot) const {
    return {robots_[robot].left.speed, robots_[robot].right.speed};
}

WheelSpeeds World::wanted_speeds(RobotId robot) const {
    return {robots_[robot].left.wanted, robots_[robot].right.wanted};
}

void World::pick_up(RobotId id) {
    SimulatedRobot& robot = robots_[id];
    robot.held = true;
    robot.fallen = false;
    robot.forward = 0;
    robot.yaw_rate = 0;
    robot.bumpers = {};
    terrain_.set_present(robot.round, false);
}

Result<void> World::put_down(RobotId id, Pose at) {
    SimulatedRobot& robot = robots_[id];
    if (!is_free(plan_, position(at), robot.model.radius) ||
        !stands_clear(position(at), robot.model.radius, robot.round))
        return fail(Code::refused,
                    fmt::format("the robot does not fit at ({}, {}): the place is occupied", at.x, at.y));
    robot.pose = at;
    robot.held = false;
    robot.fallen = false;
    terrain_.move_round(robot.round, position(at));
    terrain_.set_present(robot.round, true);
    bring_cubes(robot);
    return {};
}

void World::change_battery(RobotId id, double level) {
    SimulatedRobot& robot = robots_[id];
    robot.energy = robot.model.battery.capacity * level;
    power_up(robot);
}

Result<void> World::move_cube(CubeId id, Vec2 to) {
    Cube& cube = cubes_[id];
    if (!is_free(plan_, to, CubePlace::radius) || !stands_clear(to, CubePlace::radius, cube.round))
        return fail(Code::refused,
                    fmt::format("the cube does not fit at ({}, {}): the place is occupied", to.x, to.y));
    cube.carrier.reset();
    terrain_.move_round(cube.round, to);
    terrain_.set_present(cube.round, true);
    return {};
}

void World::carry_cube(CubeId id, RobotId robot) {
    cubes_[id].carrier = robot;
    terrain_.set_present(cubes_[id].round, false);
    terrain_.move_round(cubes_[id].round, position(robots_[robot].pose));
}

void World::bring_cubes(const SimulatedRobot& robot) {
    for (const Cube& cube : cubes_)
        if (cube.carrier == robot.id) terrain_.move_round(cube.round, position(robot.pose));
}

double World::noise(const SimulatedRobot& robot, Stray what, std::size_t index, std::int64_t moment) const {
    // Hashes all inputs; the sum of four uniformly distributed numbers is nearly normal.
    std::uint64_t z = plan_.seed * 0x9e3779b97f4a7c15u;
    for (const std::uint64_t part : {robot.id, std::uint64_t{std::to_underlying(what)} << 32 | index,
                                     static_cast<std::uint64_t>(moment)}) {
        z = (z ^ part) * 0xbf58476d1ce4e5b9u;
        z ^= z >> 29;
    }
    z = (z ^ (z >> 30)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    const double sum =
        static_cast<double>((z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48));
    return (sum / 65535 - 2) * std::numbers::sqrt3;
}

}  // namespace caribou::world
