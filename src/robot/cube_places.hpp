#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cubes/simulated_radio.hpp"
#include "loop/loop.hpp"
#include "world/world.hpp"

namespace caribou::robot {

/// A cube as a robot's radio sees it.
struct CubeAway {
    std::string name{};
    double distance = 1;  ///< m
};

/// Adds the cubes of a world to a robot's simulated radio, and updates their distances, which determine the
/// signal strength.
class CubePlaces {
public:
    /// Returns all cubes, always in the same order.
    using Cubes = std::function<std::vector<CubeAway>()>;

    /// Loop, radio and everything used by `around` must outlive this object.
    CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Cubes around);

private:
    void look();

    Loop& loop_;
    Cubes around_;
    std::vector<cubes::SimulatedCube*> cubes_;
    std::unique_ptr<Timer> timer_;
};

/// Returns all cubes of the world with their distances from a robot.
std::vector<CubeAway> cubes_around(const world::World& world, world::RobotId robot);

}  // namespace caribou::robot
