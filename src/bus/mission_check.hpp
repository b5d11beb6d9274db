#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bus/mission.hpp"

namespace caribou::bus {

/// Returns the problems with the words of a program's block; nullopt if its words are not known.
using BlockCheck = std::function<std::optional<std::vector<MissionFinding>>(const MissionBlock&)>;

/// Returns the problems with the keys that the broker, a launch and every app read, in addition to the
/// findings in `mission`. Keys of a single program are checked if `check_block` knows it.
std::vector<MissionFinding> check_mission(const Mission& mission, const BlockCheck& check_block = {});

}  // namespace caribou::bus
