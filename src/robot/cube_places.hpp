#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/canvas.hpp"
#include "base/result.hpp"
#include "cubes/cube_console.hpp"
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

    /// Puts the cube of that index in front of the robot. Fails if there is no room.
    using Bring = std::function<Result<void>(std::size_t cube)>;

    /// Loop, radio and everything used by the functions must outlive this object. `bring` may be empty.
    CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Cubes around, Bring bring = {});

    /// Actions of people on the cubes, as lines of text.
    static const std::vector<cubes::CubeCommand>& commands();
    /// Returns whether the line is one of these commands.
    static bool knows(std::string_view line);
    /// Executes a line and returns what was done. A line without the name or the address of a cube is about
    /// the nearest one.
    Result<std::string> run(std::string_view line);

    /// Returns the brightest light of each cube; black if it is off.
    std::vector<Pixel> lights() const;

private:
    void look();
    Result<std::size_t> find(std::string_view name) const;

    Loop& loop_;
    Cubes around_;
    Bring bring_;
    std::vector<cubes::SimulatedCube*> cubes_;
    std::unique_ptr<Timer> timer_;
};

/// Puts a cube in front of a robot. Returns Code::refused if something is there, on all three places tried.
Result<void> bring_cube(world::World& world, world::RobotId robot, world::CubeId cube);

/// Returns all cubes of the world with their distances from a robot.
std::vector<CubeAway> cubes_around(const world::World& world, world::RobotId robot);

}  // namespace caribou::robot
