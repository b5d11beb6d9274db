#pragma once

#include <cstdint>

#include "motion/motion_settings.hpp"
#include "motion/movement.hpp"

namespace caribou::motion {

/// How hard the wheels brake: at `deceleration`, `stop_deceleration` or `full_stop_deceleration` of the
/// settings.
enum class Braking : std::uint8_t { ordered, stop, full_stop };

/// Moves the wheel speeds to their targets, within the limits of acceleration. Both change in proportion.
/// Every class on the way to a movement is legal; where a class must not follow directly, it passes through
/// rest and dwells there. On the way to a velocity each wheel passes zero within `acceleration`, and the
/// acceleration grows within `jerk`; it falls at once, so that no wheel becomes faster than its target.
class WheelRamp {
public:
    struct Target {
        WheelSpeeds speeds{};
        Braking braking = Braking::ordered;
        bool is_velocity = false;
    };

    explicit WheelRamp(const MotionSettings& settings) : settings_(settings) {}

    /// The target must be a velocity, or have a movement class.
    void step(const Target& target, Instant now);
    /// Sets the speeds to zero at once, because the motors are off.
    void cut(Instant now);

    WheelSpeeds speeds() const { return speeds_; }
    MovementClass movement() const { return class_of(speeds_.right, speeds_.left); }
    /// Returns whether both speeds are zero.
    bool at_rest() const { return speeds_ == WheelSpeeds{}; }
    /// Returns whether the target must wait for rest, or for the dwell time there.
    bool goes_through_halt() const { return goes_through_halt_; }

private:
    bool must_halt_before(const WheelSpeeds& wanted, Instant now) const;
    /// Moves to the goal by at most `allowed` (m/s).
    void approach(const WheelSpeeds& goal, double allowed, Instant now);
    void step_to_velocity(const Target& target, Duration elapsed, Instant now);
    double smooth_change(const WheelSpeeds& change, double allowed, double time) const;
    bool is_slower(const WheelSpeeds& goal) const;
    double allowed_change(const WheelSpeeds& goal, Braking braking, Duration elapsed) const;
    void set(WheelSpeeds speeds, Instant now);

    MotionSettings settings_;
    WheelSpeeds speeds_{};
    WheelSpeeds acceleration_{};                      ///< m/s2; towards a velocity
    MovementClass last_class_ = MovementClass::halt;  ///< before rest
    Instant rested_at_{};
    Instant last_step_{};
    bool goes_through_halt_ = false;
};

}  // namespace caribou::motion
