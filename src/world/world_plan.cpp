#include "world/world_plan.hpp"

#include <algorithm>

#include "world/terrain.hpp"

namespace caribou::world {
namespace {

double distance_to(const Area& area, Vec2 at) {
    const Vec2 nearest{std::clamp(at.x, area.low.x, area.high.x), std::clamp(at.y, area.low.y, area.high.y)};
    return distance(at, nearest);
}

}  // namespace

bool is_free(const WorldPlan& plan, Vec2 at, double radius) {
    const auto near = [&](const Area& area) { return distance_to(area, at) < radius; };
    return at.x >= radius && at.y >= radius && at.x <= plan.size.x - radius && at.y <= plan.size.y - radius &&
           std::ranges::none_of(plan.walls,
                                [&](const Wall& wall) {
                                    const Terrain::Side side{wall.from, wall.to - wall.from, true};
                                    return distance(nearest_on(side, at), at) < radius;
                                }) &&
           std::ranges::none_of(plan.boxes, near) && std::ranges::none_of(plan.cliffs, near) &&
           std::ranges::none_of(plan.obstacles, [&](const Obstacle& obstacle) {
               return distance(obstacle.at, at) < radius + obstacle.radius;
           });
}

}  // namespace caribou::world
