// Obstacles that walk, such as people. They stop for robots: a robot that is hit has driven into them.

#include <algorithm>

#include "world/world.hpp"

namespace caribou::world {
namespace {

using namespace std::chrono_literals;

constexpr double courtesy = 0.3;          ///< meters to a robot at which a walker stops
constexpr Duration walker_patience = 3s;  ///< until it turns back from a robot in its way

}  // namespace

void World::step_walker(Walker& walker) {
    const Obstacle& obstacle = plan_.obstacles[walker.obstacle];
    walker.velocity = {};
    if (walker.waits > Duration{}) {
        walker.waits -= tick;
        return;
    }
    const Vec2 at = obstacle_at(walker.obstacle);
    const Vec2 gap = walker.stops[walker.next] - at;
    const double far = length(gap);
    const Vec2 way = far > 0 ? gap * (1 / far) : Vec2{};
    if (is_robot_ahead(walker, way)) {
        walker.blocked += tick;
        if (walker.blocked >= walker_patience) turn_back(walker);
        return;
    }
    walker.blocked = {};
    const double step = obstacle.speed * to_seconds(tick);
    if (far > step) {
        walker.velocity = way * obstacle.speed;
        return terrain_.move_round(walker.obstacle, at + way * step);
    }
    terrain_.move_round(walker.obstacle, walker.stops[walker.next]);
    const bool at_end = walker.returns ? walker.next == 0 : walker.next + 1 == walker.stops.size();
    if (at_end) {
        walker.waits = from_seconds(obstacle.pause);
        walker.returns = !walker.returns;
    }
    walker.next += walker.returns ? -std::size_t{1} : 1;
}

void World::turn_back(Walker& walker) {
    walker.blocked = {};
    walker.returns = !walker.returns;
    walker.next += walker.returns ? -std::size_t{1} : 1;
}

bool World::is_robot_ahead(const Walker& walker, Vec2 way) const {
    const Vec2 at = obstacle_at(walker.obstacle);
    const double radius = plan_.obstacles[walker.obstacle].radius;
    return std::ranges::any_of(robots_, [&](const SimulatedRobot& robot) {
        const Vec2 gap = position(robot.pose) - at;
        return !robot.held && length(gap) < radius + robot.model.radius + courtesy && dot(gap, way) > 0;
    });
}

}  // namespace caribou::world
