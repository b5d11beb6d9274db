#include "robot/fault_names.hpp"

#include <algorithm>

namespace caribou::robot::faults {

std::vector<std::string> by_importance(const std::set<std::string>& all, const motion::BodyPlan& plan) {
    std::vector<std::string> ordered(all.begin(), all.end());
    std::ranges::stable_partition(ordered, [&](const std::string& fault) {
        return std::ranges::none_of(
            plan.sensors, [&](const motion::SensorPlan& sensor) { return fault == silence_of(sensor.name); });
    });
    return ordered;
}

}  // namespace caribou::robot::faults
