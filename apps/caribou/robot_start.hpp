#pragma once

#include <vector>

#include "base/result.hpp"
#include "behavior/tree_loader.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Checks what a robot needs from its configuration and from the files that it names: the body's file and
/// the tree of behaviors. Starts nothing. Returns the text of the tree. `robot --check-config` and the
/// start itself call it, so that one accepts what the other does.
Result<std::vector<behavior::TreeText>> check_start(const robot::RobotConfig& config);

}  // namespace caribou::app
