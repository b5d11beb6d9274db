#pragma once

#include <optional>

#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"

namespace caribou::motion {

/// Derives the required reaction from a battery's level. A threshold takes effect at once; it is left only
/// when the level has risen above it by the hysteresis. Without a reading the state does not change.
class BatteryWatch {
public:
    explicit BatteryWatch(const MotionSettings& settings) : settings_(settings) {}

    /// Returns the state after a reading of the level, from 0 to 1; nullopt without a reading.
    BatteryState update(std::optional<double> level);

private:
    BatteryState at(double level) const;

    MotionSettings settings_;
    BatteryState state_ = BatteryState::unknown;
};

}  // namespace caribou::motion
