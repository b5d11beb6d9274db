#pragma once

#include <vector>

#include "bus/mission.hpp"

namespace caribou::bus {

/// What is wrong with the keys that the broker and every app read, beside the findings that the
/// mission brings itself. Keys that only one program knows are left to it.
std::vector<MissionFinding> check_mission(const Mission& mission);

}  // namespace caribou::bus
