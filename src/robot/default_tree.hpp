#pragma once

#include <string_view>

namespace caribou::robot {

/// The behaviors of a robot that was not given others: examples/trees/explorer.json, as it was when the
/// program was built. Its classes are those of the engine, of cubes and of register_robot_classes.
std::string_view default_tree();

}  // namespace caribou::robot
