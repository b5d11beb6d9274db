#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "loop/time.hpp"

/// The sensor readings of a robot.
namespace caribou::world {

/// Speed of each wheel at its rim, in m/s.
struct WheelSpeeds {
    double left = 0;
    double right = 0;
    friend bool operator==(const WheelSpeeds&, const WheelSpeeds&) = default;
};

struct WheelTicks {
    std::int64_t left = 0;
    std::int64_t right = 0;
    friend bool operator==(const WheelTicks&, const WheelTicks&) = default;
};

/// Special values of a distance reading, which is otherwise in meters.
namespace reading {
inline constexpr float no_echo = std::numeric_limits<float>::infinity();
inline constexpr float dead = std::numeric_limits<float>::quiet_NaN();
}  // namespace reading

/// One full turn of the lidar: distances in meters from the robot's center, counterclockwise from straight
/// ahead.
struct LidarScan {
    Duration at{};
    std::vector<float> ranges{};
    double reach = 0;
};

/// The parts of the hull that touch something.
struct Bumpers {
    bool front = false;
    bool left = false;
    bool rear = false;
    bool right = false;

    bool any() const { return front || left || rear || right; }
    friend bool operator==(const Bumpers&, const Bumpers&) = default;
};

/// The edges of the hull below which there is no floor.
struct Cliffs {
    bool front_left = false;
    bool front_right = false;
    bool rear_left = false;
    bool rear_right = false;

    bool any() const { return front_left || front_right || rear_left || rear_right; }
    friend bool operator==(const Cliffs&, const Cliffs&) = default;
};

struct Imu {
    double yaw_rate = 0;      ///< rad/s, counterclockwise
    double acceleration = 0;  ///< m/s², forward
    double tilt = 0;          ///< radians from upright
    friend bool operator==(const Imu&, const Imu&) = default;
};

struct Power {
    double level = 1;  ///< fraction of the battery's capacity
    double volts = 0;
    double amperes = 0;        ///< into the battery; negative while discharging
    bool on_contacts = false;  ///< on the charger's contacts
    friend bool operator==(const Power&, const Power&) = default;
};

/// A cube in the robot's field of view.
struct CubeSight {
    std::size_t cube;
    double bearing;   ///< radians, counterclockwise from straight ahead
    double distance;  ///< meters, from center to center
    friend bool operator==(const CubeSight&, const CubeSight&) = default;
};

}  // namespace caribou::world
