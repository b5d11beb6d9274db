#include "robot/tree_sensors.hpp"

#include <algorithm>
#include <iterator>

#include "motion/body.hpp"

namespace caribou::robot {

void register_sensor_modes(behavior::ClassRegistry& classes) {
    classes.add(behavior::SensorModeWord{.name = std::string(to_string(motion::SensorKind::eyes)),
                                         .about = "the sensors that recognize cubes and the dock"});
}

void TreeSensors::set_tree(const behavior::BehaviorTree& tree) {
    named_.clear();
    wanted_.clear();
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const auto& modifiers = tree[i].modifiers();
        named_.insert(modifiers.sensors_in_scope.begin(), modifiers.sensors_in_scope.end());
        named_.insert(modifiers.sensors_while_active.begin(), modifiers.sensors_while_active.end());
    }
}

void TreeSensors::set_mode(std::string_view mode, bool wanted) {
    if (wanted)
        wanted_.emplace(mode);
    else
        wanted_.erase(std::string(mode));
}

void TreeSensors::settle() {
    std::set<std::string> unneeded;
    if (runs_) std::ranges::set_difference(named_, wanted_, std::inserter(unneeded, unneeded.end()));
    if (unneeded == published_) return;
    published_ = std::move(unneeded);
    publish_(published_);
}

}  // namespace caribou::robot
