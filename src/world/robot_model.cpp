#include "world/robot_model.hpp"

#include <numbers>

namespace caribou::world {

std::vector<RangeSensor> default_ring() {
    constexpr double eighth = std::numbers::pi / 4;
    return {
        {"front", 0},         {"front_left", eighth},      {"left", 2 * eighth},   {"rear_left", 3 * eighth},
        {"rear", 4 * eighth}, {"rear_right", -3 * eighth}, {"right", -2 * eighth}, {"front_right", -eighth}};
}

std::vector<std::string> names_of(const std::vector<RangeSensor>& sensors) {
    std::vector<std::string> names;
    for (const RangeSensor& sensor : sensors) names.push_back(sensor.name);
    return names;
}

}  // namespace caribou::world
