#pragma once

#include "motion/motion_settings.hpp"
#include "motion/movement.hpp"
#include "motion/way.hpp"

namespace caribou::motion {

/// Leads the speeds of the wheels to where they should be, within the limits of acceleration. Both
/// change in proportion, so that every class on the way is one that may be passed; where a class may
/// not follow directly, it goes through rest and dwells there.
class WheelRamp {
public:
    /// What is wanted, and whether stopping is urgent: with the deceleration of a stop.
    struct Target {
        WheelSpeeds speeds{};
        bool urgent = false;
    };

    explicit WheelRamp(const MotionSettings& settings) : settings_(settings) {}

    /// The target is one that can be classified.
    void step(const Target& target, Instant now);
    /// The motors are off: rest, at once.
    void cut(Instant now);

    WheelSpeeds speeds() const { return speeds_; }
    MovementClass movement() const;
    bool at_rest() const { return speeds_ == WheelSpeeds{}; }
    /// The target has to wait for rest, or for the dwell there.
    bool goes_through_halt() const { return goes_through_halt_; }

private:
    bool must_halt_before(MovementClass wanted, Instant now) const;
    double allowed_change(const WheelSpeeds& goal, bool urgent, Duration elapsed) const;
    void set(WheelSpeeds speeds, Instant now);

    MotionSettings settings_;
    WheelSpeeds speeds_{};
    Way last_way_ = Way::rest;  ///< the one before rest
    Instant rested_at_{};
    Instant last_step_{};
    bool goes_through_halt_ = false;
};

}  // namespace caribou::motion
