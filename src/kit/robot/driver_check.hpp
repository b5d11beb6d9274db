#pragma once

#include "base/result.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Starts a `caribou driver` of `body.command` with `--check`, and returns what is wrong with its arguments
/// and the files that they name. Drivers by others are not started.
Result<void> check_own_driver(const robot::RobotConfig& config);

}  // namespace caribou::app
