#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "devices/scan_maker.hpp"
#include "motion/body.hpp"

namespace caribou::app {

/// A lidar on a port of its own.
struct LidarPlace {
    std::string kind;
    std::string port;
    devices::LidarMount mount{};
    bool required = true;
};

/// The devices that `caribou driver` drives.
struct DeviceDriverOptions {
    std::string base;  ///< its kind
    int baud = 115'200;
    motion::BodyPlan plan{};  ///< of a board
    std::string port;         ///< of the base; empty: the one that the guard has opened for `body.device`
    std::optional<LidarPlace> lidar{};
};

/// Drives them for the robot that has started this process, until it ends the connection.
Result<void> drive_devices(const DeviceDriverOptions& options);

}  // namespace caribou::app
