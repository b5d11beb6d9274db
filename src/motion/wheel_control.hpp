#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "motion/body.hpp"
#include "motion/motion_settings.hpp"

namespace caribou::motion {

/// Computes what to order of a body so that each wheel rolls at the wanted speed: feed-forward with the
/// calibration of the body, and a PID controller on the speed by the encoders. Does nothing unless
/// `closed_loop` is set.
///
/// A wheel whose wanted speed is zero is ordered zero at once. No wheel is ordered to turn against its wanted
/// direction, or with a correction of more than half of its wanted speed and 3 cm/s.
class WheelControl {
public:
    WheelControl(const MotionSettings& settings, double max_speed);

    /// Must be called in each step. `measured`: by the encoders, over the last `window`; nullopt:
    /// feed-forward alone.
    WheelSpeeds step(const WheelSpeeds& wanted, const std::optional<WheelSpeeds>& measured, Instant now);

private:
    struct Wheel {
        double gain = 1.0;
        double start = 0.0;
        std::array<double, 10> wanted{};  ///< of the last steps, as old as what is measured
        std::size_t steps = 0;            ///< since it was at rest, or has changed its direction
        double integral = 0.0;            ///< m/s
        double error = 0.0;               ///< m/s; of the last step
    };
    double ordered(Wheel& wheel, double wanted, std::optional<double> measured, double elapsed) const;
    double correction(Wheel& wheel, double wanted, double measured, double elapsed) const;

    MotionSettings settings_;
    double max_speed_;
    std::size_t span_;  ///< steps that are measured together
    Wheel right_;
    Wheel left_;
    std::optional<Instant> last_;
};

}  // namespace caribou::motion
