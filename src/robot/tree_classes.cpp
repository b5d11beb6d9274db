#include "robot/tree_classes.hpp"

#include "behavior/engine_classes.hpp"
#include "behavior/expression_classes.hpp"
#include "behavior/wait_until_action.hpp"
#include "robot/cube_classes.hpp"
#include "robot/tree_sensors.hpp"

namespace caribou::robot {

void register_tree_classes(behavior::ClassRegistry& classes, const TreeParts& parts, FactsSetBy set_by,
                           const std::optional<std::vector<std::string>>& bus_variables) {
    behavior::register_engine_classes(classes);
    behavior::register_fact_actions(classes, parts.changes);
    behavior::register_wait_until(classes, parts.facts);
    behavior::register_expressions(classes, parts.facts, parts.changes);
    register_cube_classes(classes, parts.cubes);
    register_robot_facts(classes, set_by, bus_variables);
    behavior::set_fallbacks(classes.facts(), parts.facts);
    register_sensor_modes(classes);
}

}  // namespace caribou::robot
