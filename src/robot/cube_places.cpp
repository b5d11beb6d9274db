#include "robot/cube_places.hpp"

#include <utility>

#include "base/geometry.hpp"

namespace caribou::robot {
namespace {

/// The advertising interval of a cube.
constexpr Duration period = std::chrono::milliseconds(500);

}  // namespace

CubePlaces::CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Cubes around)
    : loop_(loop), around_(std::move(around)), timer_(loop.make_timer([this] { look(); })) {
    for (const CubeAway& cube : around_()) {
        cubes::SimulatedCubeOptions options{.address = {0xc0be'0000'0001 + cubes_.size()}};
        if (!cube.name.empty()) options.name = cube.name;
        cubes_.push_back(&radio.add_cube(options));
    }
    if (!cubes_.empty()) look();
}

void CubePlaces::look() {
    const std::vector<CubeAway> around = around_();
    for (std::size_t i = 0; i < cubes_.size(); ++i) cubes_[i]->set_distance(around.at(i).distance);
    timer_->arm(loop_.clock().now() + period);
}

std::vector<CubeAway> cubes_around(const world::World& world, world::RobotId robot) {
    std::vector<CubeAway> all;
    for (std::size_t cube = 0; cube < world.cube_count(); ++cube)
        all.push_back(
            {world.plan().cubes.at(cube).name, distance(position(world.pose(robot)), world.cube_at(cube))});
    return all;
}

}  // namespace caribou::robot
