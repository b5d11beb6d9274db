#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cubes/simulated_radio.hpp"
#include "loop/loop.hpp"
#include "world/world.hpp"

namespace caribou::robot {

/// Puts the cubes of a world into a robot's simulated radio, and keeps each as far away there as it is in the
/// world: who comes nearer hears it better.
class CubePlaces {
public:
    /// From the robot to each cube, in m.
    using Distances = std::function<std::vector<double>()>;

    /// Loop and radio outlive it, and so does what it asks.
    CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Distances distances);

private:
    void look();

    Loop& loop_;
    Distances distances_;
    std::vector<cubes::SimulatedCube*> cubes_;
    std::unique_ptr<Timer> timer_;
};

/// All cubes of the world, seen from a robot.
std::vector<double> cube_distances(const world::World& world, world::RobotId robot);

}  // namespace caribou::robot
