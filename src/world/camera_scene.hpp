#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/canvas.hpp"
#include "base/geometry.hpp"
#include "world/world.hpp"

namespace caribou::world {

/// Everything that the camera of a robot can see, and the place of the camera. A copy: it can be rendered
/// while the world advances. Lengths are in meters.
struct CameraScene {
    enum class Surface : std::uint8_t { wall, furniture, curtain };
    enum class Shape : std::uint8_t { pillar, ball, person, robot };

    /// A vertical rectangle that stands on the floor.
    struct Face {
        Vec2 from;
        Vec2 along;  ///< vector to its other end
        double height = 0;
        Surface surface = Surface::wall;
    };
    /// A round thing that stands on the floor.
    struct Pillar {
        Pose pose;
        double radius = 0;
        double height = 0;
        Shape shape = Shape::pillar;
        std::size_t number = 0;  ///< selects its color
    };
    /// A cube on the floor. Black: its lights are off.
    struct Cube {
        Vec2 at;
        Pixel light{};
    };

    Pose camera;           ///< position, and the direction in which it looks
    double height = 0.15;  ///< of the camera above the floor
    std::vector<Face> faces{};
    std::vector<Pillar> pillars{};
    std::vector<Cube> cubes{};
    std::vector<Area> holes{};
    std::vector<Pose> chargers{};

    static constexpr double wall_height = 0.8;
    static constexpr double furniture_height = 0.45;
    static constexpr double pillar_height = 0.6;
    static constexpr double person_height = 1.7;
    static constexpr double robot_height = 0.13;
    static constexpr double cube_side = 2 * CubePlace::radius;
};

/// Returns what the camera at the front of a robot sees. `lights` are the colors of the cubes, in the order
/// of the world; missing ones are off.
CameraScene scene_of(const World& world, RobotId robot, std::span<const Pixel> lights = {});

}  // namespace caribou::world
