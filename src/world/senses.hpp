#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/geometry.hpp"
#include "loop/time.hpp"

/// What a robot's sensors say.
namespace caribou::world {

/// Metres a second at the rim of each wheel.
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

/// One value a sensor or beam, in metres.
namespace reading {
inline constexpr float no_echo = std::numeric_limits<float>::infinity();
inline constexpr float dead = std::numeric_limits<float>::quiet_NaN();
}  // namespace reading

/// Beams all around, counterclockwise from straight ahead, from the robot's middle.
struct LidarScan {
    Duration at{};
    std::vector<float> ranges{};
    double reach = 0;
};

/// Parts of the hull that touch something.
struct Bumpers {
    bool front = false;
    bool left = false;
    bool rear = false;
    bool right = false;

    bool any() const { return front || left || rear || right; }
    friend bool operator==(const Bumpers&, const Bumpers&) = default;
};

/// Under which edge of the hull there is no floor.
struct Cliffs {
    bool front_left = false;
    bool front_right = false;
    bool rear_left = false;
    bool rear_right = false;

    bool any() const { return front_left || front_right || rear_left || rear_right; }
    friend bool operator==(const Cliffs&, const Cliffs&) = default;
};

struct Imu {
    double yaw_rate = 0;      ///< radians a second, counterclockwise
    double acceleration = 0;  ///< metres a second a second, forwards
    double tilt = 0;          ///< radians from upright
    friend bool operator==(const Imu&, const Imu&) = default;
};

struct Power {
    double level = 1;  ///< share of what the battery holds
    double volts = 0;
    double amperes = 0;        ///< into the battery; negative while it is drained
    bool on_contacts = false;  ///< of the charger
    friend bool operator==(const Power&, const Power&) = default;
};

/// A cube that the robot sees.
struct CubeSight {
    std::size_t cube;
    double bearing;   ///< radians, counterclockwise from straight ahead
    double distance;  ///< metres, from middle to middle
    friend bool operator==(const CubeSight&, const CubeSight&) = default;
};

}  // namespace caribou::world
