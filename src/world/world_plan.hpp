#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "world/fault.hpp"

/// The description of a flat world with robots. The file format is described in docs/formats/world.md.
namespace caribou::world {

struct Wall {
    Vec2 from;
    Vec2 to;
    friend bool operator==(const Wall&, const Wall&) = default;
};

/// An axis-aligned rectangle.
struct Area {
    Vec2 low;
    Vec2 high;

    bool contains(Vec2 at) const {
        return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
    }
    friend bool operator==(const Area&, const Area&) = default;
};

/// A round obstacle.
struct Obstacle {
    Vec2 at;
    double radius = 0.1;
    bool movable = false;  ///< robots can push it if there is room behind it
    /// Places that it walks to, one after the other from `at`, and back. Empty: it does not walk.
    std::vector<Vec2> walk{};
    double speed = 0.5;  ///< m/s, while it walks
    double pause = 1;    ///< seconds that it waits at each end of its walk
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

/// A flat plate with contacts. It charges a robot that is on it and has about the same heading.
struct Charger {
    Pose pose;

    static constexpr double reach = 0.06;  ///< maximum distance of their centers in meters
    static constexpr double slant = 0.45;  ///< maximum angle in radians between their headings
    friend bool operator==(const Charger&, const Charger&) = default;
};

/// Replaces the battery of the robots' model.
struct BatteryPlan {
    double minutes = 30;  ///< of driving, with a full battery
    double level = 1;     ///< initial fraction of the capacity
    friend bool operator==(const BatteryPlan&, const BatteryPlan&) = default;
};

/// The initial position of a cube. Cubes are too low for distance sensors; robots push them.
struct CubePlace {
    std::string name;
    Vec2 at;

    static constexpr double radius = 0.03;
    friend bool operator==(const CubePlace&, const CubePlace&) = default;
};

/// Noise of the sensors and wheels, as standard deviations. No value deviates by more than 3.5 of them.
struct Noise {
    double range = 0.005;        ///< meters
    double lidar = 0.01;         ///< meters
    double yaw_rate = 0.005;     ///< rad/s
    double acceleration = 0.05;  ///< m/s²
    double slip = 0.01;          ///< fraction of a wheel's travel that is lost to slip
    friend bool operator==(const Noise&, const Noise&) = default;
};

struct WorldPlan {
    std::string name{};
    std::uint64_t seed = 1;
    Vec2 size{10, 10};  ///< the floor extends from (0, 0) to here and is enclosed by walls
    std::vector<Wall> walls{};
    std::vector<Area> boxes{};  ///< solid furniture
    std::vector<Obstacle> obstacles{};
    std::vector<Area> cliffs{};   ///< areas without floor
    std::vector<Area> unknown{};  ///< areas that absorb beams, without an echo
    std::optional<Charger> charger{};
    std::optional<BatteryPlan> battery{};
    std::vector<CubePlace> cubes{};
    std::vector<Pose> starts{};
    Noise noise{};
    std::vector<Fault> faults{};

    friend bool operator==(const WorldPlan&, const WorldPlan&) = default;
};

/// Returns whether a round object of this radius fits there without touching anything in the plan except
/// cubes.
bool is_free(const WorldPlan& plan, Vec2 at, double radius);

/// Generates a square room with furniture, a charger, two cubes and one start from a seed. The charger is
/// reachable from the start.
WorldPlan random_room(std::uint64_t seed, double side = 10);

}  // namespace caribou::world
