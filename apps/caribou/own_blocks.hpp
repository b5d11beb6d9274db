#pragma once

#include <optional>
#include <vector>

#include "bus/mission.hpp"

namespace caribou::app {

/// Returns the problems with the words of a block of a mission that a command of this program reads, as that
/// of pLogger; nullopt if none does.
std::optional<std::vector<bus::MissionFinding>> check_own_block(const bus::Mission& mission,
                                                                const bus::MissionBlock& block);

}  // namespace caribou::app
