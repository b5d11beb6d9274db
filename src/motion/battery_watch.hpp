#pragma once

#include <optional>

#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"

namespace caribou::motion {

/// What a battery's level asks for. A level that is reached counts at once; it is left only when the
/// battery has gained the hysteresis above it. Without a reading it stays what it was.
class BatteryWatch {
public:
    explicit BatteryWatch(const MotionSettings& settings) : settings_(settings) {}

    BatteryState update(std::optional<double> level);

private:
    BatteryState at(double level) const;

    MotionSettings settings_;
    BatteryState state_ = BatteryState::unknown;
};

}  // namespace caribou::motion
