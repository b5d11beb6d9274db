#include "motion/battery_watch.hpp"

#include <algorithm>

namespace caribou::motion {

BatteryState BatteryWatch::update(std::optional<double> level) {
    if (!level) return state_;
    const BatteryState falling = at(*level);
    const BatteryState rising = at(*level - settings_.battery_hysteresis);
    state_ = std::clamp(state_, falling, rising);
    return state_;
}

BatteryState BatteryWatch::at(double level) const {
    if (level <= settings_.battery_critical) return BatteryState::critical;
    if (level <= settings_.battery_dock) return BatteryState::dock;
    return level <= settings_.battery_warn ? BatteryState::warn : BatteryState::good;
}

}  // namespace caribou::motion
