#pragma once

#include <vector>

#include "bus/mission.hpp"

namespace caribou::bus {

/// Returns the problems with the keys that the broker, a launch and every app read, in addition to the
/// findings in `mission`. Keys of a single program are not checked.
std::vector<MissionFinding> check_mission(const Mission& mission);

}  // namespace caribou::bus
