#pragma once

#include <vector>

#include "base/result.hpp"
#include "behavior/tree_loader.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Returns the text of the tree of behaviors, or why it cannot be read or fails its check. The start then
/// replaces it by a tree that stands still.
Result<std::vector<behavior::TreeText>> check_tree(const robot::RobotConfig& config);
/// Checks everything that a robot needs from its configuration and from the files that it names: the body's
/// file and the tree. Starts nothing. For `robot --check-config`.
Result<void> check_start(const robot::RobotConfig& config);

}  // namespace caribou::app
