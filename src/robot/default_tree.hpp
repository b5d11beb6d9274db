#pragma once

#include <string_view>

namespace caribou::robot {

/// Returns the default behaviors of a robot: examples/trees/explorer.json as of the build. Uses classes of
/// the engine, of cubes and of register_robot_classes.
std::string_view default_tree();

}  // namespace caribou::robot
