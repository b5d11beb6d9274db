#pragma once

#include <memory>

#include "behavior/class_registry.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

/// Registers a robot's classes for use in files: the actions `drive`, `turn`, `look`, `lights`, `go_to`,
/// `explore`, `stroll`, `back_off`, `dock`, `undock` and `approach_cube`, and the conditions `has_explored`,
/// `is_hindered`, `is_lifted`, `is_docked`, `sees_cube` and `knows_dock`. `ai` must outlive every tree built
/// with them. Returns the navigator that they share.
std::shared_ptr<Navigator> register_robot_classes(behavior::ClassRegistry& classes, AiControl& ai,
                                                  const NavigatorSettings& settings = {});

}  // namespace caribou::robot
