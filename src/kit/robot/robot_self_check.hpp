#pragma once

#include <string>

#include "adapters/body/guard_link.hpp"
#include "adapters/keys/key_folder.hpp"
#include "base/log.hpp"
#include "kit/program/exit.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Requests a confirmation that the wheels are off the floor, on the terminal. Returns false, with a message,
/// if it is not given or there is no terminal.
bool confirm_wheels_up(const robot::RobotConfig& config);

/// Exercises stop, latch, dead man's switch and guard on the body of the configuration, prints a line per
/// item, and stores the result. `guard` is null if there is none. Exit::ok: nothing failed. The stored latch
/// is as before afterwards, also after a signal; if the process is killed meanwhile, it is as before or
/// stopped.
Exit run_self_check(const robot::RobotConfig& config, const KeyFolder& keys, GuardLink* guard, Log& log);

}  // namespace caribou::app
