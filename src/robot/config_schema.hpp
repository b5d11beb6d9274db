#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "robot/robot_config.hpp"

namespace caribou::robot {

/// Where a value stands in a RobotConfig. Durations are seconds in files.
using ConfigPlace = std::variant<int*, double*, Duration*, bool*, std::string*, std::vector<std::string>*>;

/// One key: all that there is to know of it.
struct ConfigKey {
    std::string section;  ///< empty: at the top of the file
    std::string name;
    std::function<ConfigPlace(RobotConfig&)> place;
    double low = 0;  ///< of numbers; both ends included
    double high = 0;
    std::string unit{};
    std::vector<std::string> words{};  ///< that a text may be; empty: anything
    std::string what{};
    bool settable = false;  ///< by command 201; never what safety rests on
    bool at_once = false;   ///< takes effect without a reboot

    /// `telemetry.rate`, or `SendPort`.
    std::string full_name() const { return section.empty() ? name : section + "." + name; }
};

/// All keys, in the order of the documentation.
const std::vector<ConfigKey>& config_schema();
/// Null: there is none of that full name.
const ConfigKey* find_key(std::string_view full_name);

/// The value as it stands in a file: `0.5`, `true`, `"sim"`, `["lidar"]`.
std::string value_text(const ConfigKey& key, const RobotConfig& config);
/// `whole number from 0 to 5`, for people.
std::string type_text(const ConfigKey& key);

/// The effective configuration, as a file, with the origin of each value behind it.
std::string print_config(const ReadConfig& read);
/// docs/robot-config.md.
std::string config_page();

}  // namespace caribou::robot
