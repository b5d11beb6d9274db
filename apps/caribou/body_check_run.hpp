#pragma once

#include <functional>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "driver/body_check.hpp"
#include "driver/wheel_calibration.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Runs the checks of `caribou body check` on the driver of a configuration. `on_finding` is called for each
/// finding. When this returns, the driver has ended and its stop frame, if any, was written, however the
/// checks have ended. Fails if they were interrupted, or if it is not confirmed that the body is stopped.
Result<std::vector<driver::BodyCheck::Finding>> check_body(
    const robot::RobotConfig& config, Log& log,
    const std::function<void(const driver::BodyCheck::Finding&)>& on_finding);

/// What the wheels of a driver did, for their calibration.
struct MeasuredWheels {
    std::vector<driver::WheelSample> right{};
    std::vector<driver::WheelSample> left{};
};
/// Measures the wheels of the driver of a configuration. When this returns, the driver has ended and its stop
/// frame, if any, was written.
Result<MeasuredWheels> calibrate_body(const robot::RobotConfig& config, Log& log);

}  // namespace caribou::app
