#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/geometry.hpp"
#include "world/robot_model.hpp"
#include "world/senses.hpp"

namespace caribou::world {

/// What has happened to a robot so far.
struct Record {
    double distance = 0;         ///< metres that its middle has gone
    std::size_t contacts = 0;    ///< times that it ran into something that does not give way
    double hardest_contact = 0;  ///< metres a second, into what it ran into
    Vec2 hardest_at{};
    std::size_t falls = 0;
    double spent = 0;    ///< joules
    double charged = 0;  ///< joules
};

/// What strays, each by itself.
enum class Stray : std::uint8_t { left_slip, right_slip, range, lidar, yaw_rate, acceleration };

/// The hardest thing that was met in a tick.
struct Meeting {
    double speed = -1;  ///< below 0: nothing
    Vec2 towards{};     ///< of length 1
};

/// One of the two wheels with its motor and encoder.
struct Wheel {
    double wanted = 0;
    double speed = 0;  ///< of its rim
    double way = 0;    ///< that its encoder has counted, metres
    bool stuck = false;
    bool blocked = false;
    double encoder_scale = 1;
};

/// The state of a robot. World moves it.
struct SimulatedRobot {
    RobotModel model;
    std::size_t id = 0;
    std::size_t round = 0;  ///< in the terrain
    Pose pose;
    Wheel left{};
    Wheel right{};
    double forward = 0;       ///< metres a second
    double yaw_rate = 0;      ///< radians a second
    double acceleration = 0;  ///< metres a second a second
    double energy = 0;        ///< joules in the battery
    double amperes = 0;
    bool on_contacts = false;
    bool touching = false;
    bool held = false;    ///< by somebody
    bool fallen = false;  ///< over a cliff
    Bumpers bumpers{};
    Record record{};
    std::vector<bool> dead_ranges{};
    bool lidar_dead = false;
    bool imu_dead = false;
    bool bumpers_dead = false;
    bool cliffs_dead = false;
    bool encoders_dead = false;
    std::vector<Vec2> beam_ways{};                  ///< of the lidar, seen from the robot
    std::vector<std::array<Vec2, 5>> range_ways{};  ///< of each range sensor: it hears a cone, not a line
    LidarScan scan{};
    std::vector<float> ranges{};
    std::int64_t scan_tick = -1;
    std::int64_t ranges_tick = -1;
};

}  // namespace caribou::world
