#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cubes/simulated_radio.hpp"
#include "loop/loop.hpp"
#include "world/world.hpp"

namespace caribou::robot {

/// Adds the cubes of a world to a robot's simulated radio, and updates their distances, which determine the
/// signal strength.
class CubePlaces {
public:
    /// Returns the distance from the robot to each cube, in m.
    using Distances = std::function<std::vector<double>()>;

    /// Loop, radio and everything used by `distances` must outlive this object.
    CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Distances distances);

private:
    void look();

    Loop& loop_;
    Distances distances_;
    std::vector<cubes::SimulatedCube*> cubes_;
    std::unique_ptr<Timer> timer_;
};

/// Returns the distances of all cubes of the world from a robot.
std::vector<double> cube_distances(const world::World& world, world::RobotId robot);

}  // namespace caribou::robot
