#pragma once

#include "behavior/class_registry.hpp"
#include "cubes/cube_system.hpp"

namespace caribou::robot {

/// Registers `connect_to_cube`, `cube_spinner` and the cube requirements for use in files. The cubes must
/// outlive every tree built with them.
void register_cube_classes(behavior::ClassRegistry& classes, cubes::CubeSystem& cubes);

}  // namespace caribou::robot
