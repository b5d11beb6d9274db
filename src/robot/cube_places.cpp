#include "robot/cube_places.hpp"

#include <utility>

#include "base/geometry.hpp"

namespace caribou::robot {
namespace {

/// The advertising interval of a cube.
constexpr Duration period = std::chrono::milliseconds(500);

}  // namespace

CubePlaces::CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Distances distances)
    : loop_(loop), distances_(std::move(distances)), timer_(loop.make_timer([this] { look(); })) {
    const std::size_t count = distances_().size();
    for (std::size_t i = 1; i <= count; ++i)
        cubes_.push_back(&radio.add_cube({.address = {0xc0be'0000'0000 + i}}));
    if (count > 0) look();
}

void CubePlaces::look() {
    const std::vector<double> distances = distances_();
    for (std::size_t i = 0; i < cubes_.size(); ++i) cubes_[i]->set_distance(distances.at(i));
    timer_->arm(loop_.clock().now() + period);
}

std::vector<double> cube_distances(const world::World& world, world::RobotId robot) {
    std::vector<double> all;
    for (std::size_t cube = 0; cube < world.cube_count(); ++cube)
        all.push_back(distance(position(world.pose(robot)), world.cube_at(cube)));
    return all;
}

}  // namespace caribou::robot
