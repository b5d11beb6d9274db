#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "world/fault.hpp"

/// A flat world with robots in it: what it is made of. docs/formats/world.md tells the file.
namespace caribou::world {

struct Wall {
    Vec2 from;
    Vec2 to;
    friend bool operator==(const Wall&, const Wall&) = default;
};

/// A rectangle along the axes.
struct Area {
    Vec2 low;
    Vec2 high;

    bool contains(Vec2 at) const {
        return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
    }
    friend bool operator==(const Area&, const Area&) = default;
};

/// Something round.
struct Obstacle {
    Vec2 at;
    double radius = 0.1;
    bool movable = false;  ///< robots can push it, if nothing stands behind it
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

/// A flat plate with contacts. A robot that stands on it, looking along its heading, is charged.
struct Charger {
    Pose pose;

    static constexpr double reach = 0.06;  ///< metres from the plate's middle to the robot's
    static constexpr double slant = 0.45;  ///< radians between their headings
    friend bool operator==(const Charger&, const Charger&) = default;
};

/// Where a cube lies. Sensors look over it; robots push it.
struct CubePlace {
    std::string name;
    Vec2 at;

    static constexpr double radius = 0.03;
    friend bool operator==(const CubePlace&, const CubePlace&) = default;
};

/// How far readings stray: standard deviations. Nothing strays further than 3.5 of them.
struct Noise {
    double range = 0.005;        ///< metres
    double lidar = 0.01;         ///< metres
    double yaw_rate = 0.005;     ///< radians a second
    double acceleration = 0.05;  ///< metres a second, a second
    double slip = 0.01;          ///< share of a wheel's way that the floor does not give back
    friend bool operator==(const Noise&, const Noise&) = default;
};

struct WorldPlan {
    std::string name{};
    std::uint64_t seed = 1;
    Vec2 size{10, 10};  ///< the floor reaches from (0, 0) to here, with a wall all around
    std::vector<Wall> walls{};
    std::vector<Area> boxes{};  ///< solid furniture
    std::vector<Obstacle> obstacles{};
    std::vector<Area> cliffs{};   ///< floor that is not there
    std::vector<Area> unknown{};  ///< no beam that enters one comes back
    std::optional<Charger> charger{};
    std::vector<CubePlace> cubes{};
    std::vector<Pose> starts{};
    Noise noise{};
    std::vector<Fault> faults{};

    friend bool operator==(const WorldPlan&, const WorldPlan&) = default;
};

/// Whether something round can stand there without touching anything of the plan but cubes.
bool is_free(const WorldPlan& plan, Vec2 at, double radius);

/// A square room with furniture, a charger, two cubes and one start, from a seed. From its start a robot
/// can reach the charger.
WorldPlan random_room(std::uint64_t seed, double side = 10);

}  // namespace caribou::world
