#pragma once

#include "behavior/class_registry.hpp"
#include "cubes/cube_system.hpp"

namespace caribou::robot {

/// Lets files name `connect_to_cube`, `cube_spinner` and the requirements of cubes. The cubes outlive
/// every tree that is made with it.
void register_cube_classes(behavior::ClassRegistry& classes, cubes::CubeSystem& cubes);

}  // namespace caribou::robot
