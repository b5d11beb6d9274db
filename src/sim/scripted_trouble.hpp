#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "loop/time.hpp"

namespace caribou::sim {

/// Something that happens at its time, whatever the seed says.
struct ScriptedTrouble {
    Duration at{};
    std::string what{};     ///< one of trouble_names()
    std::size_t robot = 0;  ///< whom it befalls, from 0
};
/// `cut_link`, `kill_robot` and so on: all that can befall a RobotWorld.
std::vector<std::string> trouble_names();

}  // namespace caribou::sim
