// Motion and collisions of robots. At the end of every tick a robot touches nothing: it is pushed out of
// objects that it would overlap, and if that fails it stays where it was.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "world/world.hpp"

namespace caribou::world {
namespace {

constexpr double dt = to_seconds(World::tick);
constexpr double spare = 1e-6;           ///< meters between objects in contact
constexpr std::int64_t slip_lasts = 25;  ///< ticks

}  // namespace

void World::step_robot(SimulatedRobot& robot) {
    spin(robot, robot.left);
    spin(robot, robot.right);
    const double before = robot.forward;
    if (robot.left.speed != 0 || robot.right.speed != 0)
        roll(robot);
    else
        robot.forward = robot.yaw_rate = 0;
    robot.acceleration = (robot.forward - before) / dt;
    power_up(robot);
}

void World::spin(const SimulatedRobot& robot, Wheel& wheel) const {
    if (wheel.blocked || robot.energy <= 0)
        wheel.speed = 0;
    else if (!wheel.stuck) {
        const double wanted = std::clamp(wheel.wanted, -robot.model.max_speed, robot.model.max_speed);
        const double limit = robot.model.acceleration * dt;
        const double change = (wanted - wheel.speed) * dt / (robot.model.lag + dt);
        wheel.speed += std::clamp(change, -limit, limit);
        if (wanted == 0 && std::abs(wheel.speed) < 1e-4) wheel.speed = 0;
    }
}

void World::roll(SimulatedRobot& robot) {
    double left = robot.left.speed * dt;
    double right = robot.right.speed * dt;
    if (!robot.held && !robot.fallen) {
        const auto grip = [&](Stray side) {
            return 1 -
                   std::max(0.0, plan_.noise.slip * (1 + 0.5 * noise(robot, side, 0, ticks_ / slip_lasts)));
        };
        const double left_way = left * grip(Stray::left_slip);
        const double right_way = right * grip(Stray::right_slip);
        const double ahead = (left_way + right_way) / 2;
        const double turn = (right_way - left_way) / robot.model.wheel_base;
        const Vec2 way = towards(robot.pose.heading + turn / 2);
        const Vec2 from = position(robot.pose);
        move(robot, way * ahead);
        robot.pose.heading = wrapped_angle(robot.pose.heading + turn);
        robot.yaw_rate = turn / dt;
        const double achieved = dot(position(robot.pose) - from, way);
        robot.forward = achieved / dt;
        // An obstacle that stops the robot also stops its wheels.
        if (robot.touching && ahead != 0) {
            const double lost = (left + right) / 2 * std::clamp(1 - achieved / ahead, 0.0, 1.0);
            left -= lost;
            right -= lost;
            robot.left.speed = left / dt;
            robot.right.speed = right / dt;
        }
    }
    robot.left.way += left * robot.left.encoder_scale;
    robot.right.way += right * robot.right.encoder_scale;
}

void World::move(SimulatedRobot& robot, Vec2 way) {
    const Vec2 from = position(robot.pose);
    Vec2 at = from + way;
    Meeting hardest;
    if (!make_room(robot, at, way * (1 / dt), hardest)) at = from;
    if (hardest.speed >= 0) {
        if (!robot.touching) ++robot.record.contacts;
        if (hardest.speed > robot.record.hardest_contact) {
            robot.record.hardest_contact = hardest.speed;
            robot.record.hardest_at = at;
        }
    }
    robot.touching = hardest.speed >= 0;
    robot.pose = pose_at(at, robot.pose.heading);
    robot.record.distance += distance(from, at);
    terrain_.move_round(robot.round, at);
    bring_cubes(robot);
    feel(robot);
    for (const Area& cliff : plan_.cliffs)
        if (!robot.fallen && cliff.contains(at)) {
            robot.fallen = true;
            robot.forward = 0;
            ++robot.record.falls;
        }
}

bool World::make_room(const SimulatedRobot& robot, Vec2& at, Vec2 velocity, Meeting& hardest) {
    const double radius = robot.model.radius;
    const auto give_way = [&](Vec2 point, double reach, Vec2 its_velocity) {
        const Vec2 gap = at - point;
        const double near = length(gap);
        if (near == 0) return;
        const Vec2 out = gap * (1 / near);
        const double speed = std::max(0.0, -dot(velocity - its_velocity, out));
        if (speed > hardest.speed) hardest = {speed, out * -1};
        at = point + out * (reach + spare);
    };
    for (int round = 0; round < 4; ++round) {
        const Vec2 before = at;
        terrain_.each_wall_near(at, radius, [&](Vec2 point) {
            if (distance(point, at) < radius) give_way(point, radius, {});
        });
        // Pushing modifies the lists that the query iterates over: collect first, then push.
        std::array<std::size_t, 8> met{};
        std::size_t count = 0;
        terrain_.each_round_near(at, radius, robot.round, [&](std::size_t other) {
            if (count < met.size()) met[count++] = other;
        });
        for (std::size_t i = 0; i < count; ++i) {
            const Terrain::Round other = terrain_.round(met[i]);
            const double reach = radius + other.radius;
            if (is_movable(met[i]) && push(met[i], at, reach)) continue;
            if (distance(at, other.at) < reach) give_way(other.at, reach, velocity_of(met[i]));
        }
        if (at == before) return true;
    }
    return stands_clear(at, radius, robot.round);
}

bool World::push(std::size_t round, Vec2 from, double reach) {
    const Terrain::Round other = terrain_.round(round);
    const Vec2 gap = other.at - from;
    const double near = length(gap);
    if (near == 0) return false;
    const Vec2 to = from + gap * ((reach + spare) / near);
    if (!stands_clear(to, other.radius, round)) return false;
    terrain_.move_round(round, to);
    return true;
}

bool World::stands_clear(Vec2 at, double radius, std::size_t except) const {
    bool clear =
        at.x > radius && at.y > radius && at.x < plan_.size.x - radius && at.y < plan_.size.y - radius;
    terrain_.each_wall_near(at, radius, [&](Vec2) { clear = false; });
    terrain_.each_round_near(at, radius, except, [&](std::size_t) { clear = false; });
    return clear;
}

bool World::is_movable(std::size_t round) const {
    const std::size_t obstacles = plan_.obstacles.size();
    return round < obstacles ? plan_.obstacles[round].movable : round < obstacles + cubes_.size();
}

Vec2 World::velocity_of(std::size_t round) const {
    const std::size_t first_robot = plan_.obstacles.size() + cubes_.size();
    for (const Walker& walker : walkers_)
        if (walker.obstacle == round) return walker.velocity;
    if (round < first_robot) return {};
    const SimulatedRobot& robot = robots_[round - first_robot];
    return towards(robot.pose.heading) * robot.forward;
}

void World::feel(SimulatedRobot& robot) const {
    constexpr double skin = 0.004;
    constexpr double half_side = std::numbers::pi / 3;
    robot.bumpers = {};
    const auto touch = [&](Vec2 point) {
        const double bearing = bearing_of(robot.pose, point);
        if (std::abs(bearing) <= half_side)
            robot.bumpers.front = true;
        else if (std::abs(bearing) >= 2 * half_side)
            robot.bumpers.rear = true;
        else
            (bearing > 0 ? robot.bumpers.left : robot.bumpers.right) = true;
    };
    const double reach = robot.model.radius + skin;
    terrain_.each_wall_near(position(robot.pose), reach, touch);
    terrain_.each_round_near(position(robot.pose), reach, robot.round, [&](std::size_t other) {
        if (terrain_.round(other).seen == Terrain::Seen::by_beams) touch(terrain_.round(other).at);
    });
}

void World::power_up(SimulatedRobot& robot) const {
    const Battery& battery = robot.model.battery;
    robot.on_contacts =
        charger_present_ && plan_.charger && !robot.held && !robot.fallen &&
        distance(position(plan_.charger->pose), position(robot.pose)) <= Charger::reach &&
        std::abs(wrapped_angle(plan_.charger->pose.heading - robot.pose.heading)) <= Charger::slant;
    double out = 0;
    if (robot.energy > 0) {
        out =
            battery.electronics + battery.drive * (std::abs(robot.left.speed) + std::abs(robot.right.speed));
        for (const Wheel* wheel : {&robot.left, &robot.right})
            if (wheel->blocked && wheel->wanted != 0) out += battery.stall;
    }
    double in = 0;
    if (robot.on_contacts) {
        // A full battery accepts only as much power as is consumed.
        const double room = 1 - robot.energy / battery.capacity;
        in = std::min(battery.charger, battery.electronics + battery.charger * room * 20);
    }
    const double volts =
        battery.empty_volts + (battery.full_volts - battery.empty_volts) * robot.energy / battery.capacity;
    robot.amperes = (in - out) / volts;
    robot.record.spent += std::min(out * dt, robot.energy + in * dt);
    robot.record.charged += in * dt;
    robot.energy = std::clamp(robot.energy + (in - out) * dt, 0.0, battery.capacity);
}

}  // namespace caribou::world
