#pragma once

#include <string>
#include <string_view>

#include "config/schema.hpp"
#include "robot/robot_config.hpp"

namespace caribou::robot {

/// Returns all keys of the configuration of a robot.
const config::Schema<RobotConfig>& config_schema();

/// Returns the effective values of a section, one `key = value` per line, in the order of the schema.
std::string section_text(const RobotConfig& config, std::string_view section);
/// Returns the effective configuration as a file, with the origin of each value as a comment.
std::string print_config(const ReadConfig& read);
/// Returns docs/robot-config.md.
std::string config_page();

}  // namespace caribou::robot
