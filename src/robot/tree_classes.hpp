#pragma once

#include <optional>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/facts.hpp"
#include "cubes/cube_system.hpp"
#include "robot/robot_facts.hpp"

namespace caribou::robot {

/// What the classes of trees refer to. All must outlive every tree built with them.
struct TreeParts {
    behavior::Facts& facts;
    behavior::FactChanges& changes;
    cubes::CubeSystem& cubes;
};

/// Registers what every robot has, whatever its body: the classes of the engine and of cubes, the actions on
/// facts, the facts with their defaults, and the sensor modes. Used by robots and by the check of trees, so
/// that both accept the same. See register_robot_facts() for the other arguments.
void register_tree_classes(behavior::ClassRegistry& classes, const TreeParts& parts, FactsSetBy set_by,
                           const std::optional<std::vector<std::string>>& bus_variables);

}  // namespace caribou::robot
