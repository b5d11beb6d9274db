#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "robot/robot_config.hpp"

namespace caribou::robot {

/// Pointer to a value in a RobotConfig. Durations are seconds in files.
using ConfigPlace = std::variant<int*, double*, Duration*, bool*, std::string*, std::vector<std::string>*>;

/// The definition of one key.
struct ConfigKey {
    std::string section;  ///< empty: at the top level
    std::string name;
    std::function<ConfigPlace(RobotConfig&)> place;
    double low = 0;  ///< of numbers; inclusive
    double high = 0;
    std::string unit{};
    std::vector<std::string> words{};  ///< valid texts; empty: any
    std::string what{};
    bool settable = false;  ///< by command 201; never for safety settings
    bool at_once = false;   ///< takes effect without a reboot
    /// Its value names a program that the robot runs. Read from the file alone: no command, page, ROS
    /// parameter or bus variable may set it.
    bool names_program = false;

    /// Returns `telemetry.rate`, or `SendPort`.
    std::string full_name() const { return section.empty() ? name : section + "." + name; }
};

/// Returns all keys, in the order of the documentation.
const std::vector<ConfigKey>& config_schema();
/// Returns null if there is no key of that full name.
const ConfigKey* find_key(std::string_view full_name);

/// Returns the value in the notation of the file: `0.5`, `true`, `"sim"`, `["lidar"]`.
std::string value_text(const ConfigKey& key, const RobotConfig& config);
/// Returns the effective values of a section, one `key = value` per line, in the order of the schema.
std::string section_text(const RobotConfig& config, std::string_view section);
/// Returns a description for people, such as `whole number from 0 to 5`.
std::string type_text(const ConfigKey& key);

/// Returns the effective configuration as a file, with the origin of each value as a comment.
std::string print_config(const ReadConfig& read);
/// Returns docs/robot-config.md.
std::string config_page();

}  // namespace caribou::robot
