#pragma once

#include "base/result.hpp"
#include "link/command.hpp"
#include "motion/motion_command.hpp"

namespace caribou::link {

/// The highest speeds that a command can request, in m/s and rad/s.
inline constexpr double max_forward = 5.0;
inline constexpr double max_turn = 10.0;

/// Returns the motion that a command from 101 to 107 or 110 requests, or why there is none.
Result<motion::MotionCommand> motion_of(const Command& command);

/// Returns the command `move` or `drive` that requests the motion.
Command command_for(const motion::MotionCommand& motion);

}  // namespace caribou::link
