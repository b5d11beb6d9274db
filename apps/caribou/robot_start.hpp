#pragma once

#include <vector>

#include "base/result.hpp"
#include "behavior/tree_loader.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Returns the files of the behavior tree, or why they cannot be read or fail their check. The robot then
/// starts with a tree that does not move.
Result<std::vector<behavior::TreeText>> check_tree(const robot::RobotConfig& config);
/// Checks the configuration and the files that it names: the body's file and the tree. Starts nothing. For
/// `robot --check-config`.
Result<void> check_start(const robot::RobotConfig& config);

}  // namespace caribou::app
