#pragma once

#include "base/result.hpp"
#include "link/command.hpp"
#include "motion/movement.hpp"

namespace caribou::link {

/// Returns the movement that a command from 101 to 107 requests, or why there is none.
Result<motion::MovementCommand> movement_of(const Command& command);

}  // namespace caribou::link
