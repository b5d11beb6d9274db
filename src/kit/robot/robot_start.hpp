#pragma once

#include <string>
#include <vector>

#include "adapters/keys/key_folder.hpp"
#include "base/result.hpp"
#include "behavior/tree_loader.hpp"
#include "kit/robot/behavior_programs.hpp"
#include "robot/config_contradictions.hpp"
#include "robot/own_classes.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Returns the paths of the files of the configured behavior tree; empty: the built-in one.
std::vector<std::string> tree_paths(const robot::RobotConfig& config);
/// Reads the files of the behavior tree that is configured, without checking them.
Result<std::vector<behavior::TreeText>> configured_tree(const robot::RobotConfig& config);
/// `programs` are those of describe_programs(). Returns the files of the behavior tree, or why they cannot be
/// read or fail their check. The robot then starts with a tree that does not move. `own` adds the classes of
/// the program; may be empty. `warnings` receives those about an accepted tree; may be null.
Result<std::vector<behavior::TreeText>> check_tree(const robot::RobotConfig& config,
                                                   const robot::AddOwnClasses& own,
                                                   const Result<std::vector<DescribedProgram>>& programs,
                                                   std::vector<behavior::TreeFault>* warnings = nullptr);
/// Returns why a robot of this configuration would not start: its body, camera, guard, log and keys. Starts
/// nothing, and leaves no file behind.
std::vector<robot::Contradiction> check_parts(const robot::RobotConfig& config, const KeyFolder& keys);
/// Same, with the behavior tree, and what a driver of Caribou finds wrong with its arguments. For `robot
/// --check-config`. `warnings` receives those about the tree.
std::vector<robot::Contradiction> check_start(const robot::RobotConfig& config, const KeyFolder& keys,
                                              const robot::AddOwnClasses& own,
                                              std::vector<behavior::TreeFault>& warnings);

}  // namespace caribou::app
