#pragma once

#include <string>

#include "base/result.hpp"
#include "kit/program/exit.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

// Commands to a robot on this machine, through a socket that only its user and root can open.

/// Stops it until it is released. Works while any of its threads but the initial one hangs.
Exit stop_robot(const robot::RobotConfig& config);
/// Releases its full stop. Says before if it then drives by itself.
Exit release_robot(const robot::RobotConfig& config);
/// Switches it off (RM0), by a signal if it does not answer.
Exit power_off_robot(const robot::RobotConfig& config);
/// Executes a line of the command `map`. Returns the answer, or why it was refused.
Result<std::string> ask_about_map(const robot::RobotConfig& config, const std::string& line);

}  // namespace caribou::app
