#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "loop/time.hpp"

namespace caribou::sim {

/// A fault at a fixed time, independent of the seed.
struct ScriptedTrouble {
    Duration at{};
    std::string what{};     ///< one of trouble_names()
    std::size_t robot = 0;  ///< index of the affected robot, from 0
};
/// Returns the names of all faults of a RobotWorld: `cut_link`, `kill_robot` and so on.
std::vector<std::string> trouble_names();

}  // namespace caribou::sim
