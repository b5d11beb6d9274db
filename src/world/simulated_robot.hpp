#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/geometry.hpp"
#include "world/robot_model.hpp"
#include "world/senses.hpp"

namespace caribou::world {

/// Statistics of a robot since it was added.
struct Record {
    double distance = 0;         ///< meters traveled by its center
    std::size_t contacts = 0;    ///< number of collisions with something that does not give way
    double hardest_contact = 0;  ///< m/s, the highest impact speed
    Vec2 hardest_at{};
    std::size_t falls = 0;
    double spent = 0;    ///< joules
    double charged = 0;  ///< joules
};

/// The sources of noise, which are independent of each other.
enum class Stray : std::uint8_t { left_slip, right_slip, range, lidar, yaw_rate, acceleration };

/// The hardest collision in a tick.
struct Meeting {
    double speed = -1;  ///< impact speed in m/s; negative if there was none
    Vec2 towards{};     ///< unit vector
};

/// One of the two wheels, with its motor and encoder.
struct Wheel {
    double wanted = 0;
    double speed = 0;  ///< at the rim
    double way = 0;    ///< meters counted by its encoder
    bool stuck = false;
    bool blocked = false;
    double encoder_scale = 1;
};

/// The state of a robot, updated by World.
struct SimulatedRobot {
    RobotModel model;
    std::size_t id = 0;
    std::size_t round = 0;  ///< its index in the terrain
    Pose pose;
    Wheel left{};
    Wheel right{};
    double forward = 0;       ///< m/s
    double yaw_rate = 0;      ///< rad/s
    double acceleration = 0;  ///< m/s²
    double energy = 0;        ///< joules in the battery
    double amperes = 0;
    bool on_contacts = false;
    bool touching = false;
    bool held = false;    ///< lifted off the floor
    bool fallen = false;  ///< over a cliff
    Bumpers bumpers{};
    Record record{};
    std::vector<bool> dead_ranges{};
    bool lidar_dead = false;
    bool imu_dead = false;
    bool bumpers_dead = false;
    bool cliffs_dead = false;
    bool encoders_dead = false;
    std::vector<Vec2> beam_ways{};                  ///< directions of the lidar's beams in the robot's frame
    std::vector<std::array<Vec2, 5>> range_ways{};  ///< of each range sensor: a cone, not a line
    LidarScan scan{};
    std::vector<float> ranges{};
    std::int64_t scan_tick = -1;
    std::int64_t ranges_tick = -1;
};

}  // namespace caribou::world
