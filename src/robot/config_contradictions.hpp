#pragma once

#include <string>
#include <vector>

#include "robot/robot_config.hpp"

namespace caribou::robot {

/// Two or more values of a configuration that are each valid, but not together.
struct Contradiction {
    std::string key;   ///< full name of the key to change, such as `body.kind`
    std::string text;  ///< what is wrong, and what is expected
};

/// Returns all contradictions of a configuration, except those among the settings of motion.
std::vector<Contradiction> contradictions(const RobotConfig& config);

}  // namespace caribou::robot
