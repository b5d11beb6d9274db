#pragma once

#include <memory>

#include "caribou/commands.hpp"

namespace caribou::app {

/// A robot has ended in RM0: off for good, and not to be started again.
inline constexpr Exit robot_off{10};

std::unique_ptr<Command> make_robot_command();

}  // namespace caribou::app
