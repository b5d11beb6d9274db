#pragma once

#include <optional>

#include "motion/motion.hpp"
#include "motion/motion_senses.hpp"
#include "motion/way.hpp"

namespace caribou::motion {

/// Returns why the robot must not move in this direction: a bumper is pressed on that side, or there is no
/// floor.
std::optional<MotionReason> danger(const Senses& senses, Way way);

/// Reflexes, below all sources: the robot backs off a short distance from an obstacle it has bumped into, or
/// from an edge, and does not move there again before its source has ordered another direction.
class Reflexes {
public:
    explicit Reflexes(Duration back_off) : back_off_(back_off) {}

    /// The orders of this step, as far as reflexes depend on them.
    struct Situation {
        Way driven = Way::rest;
        std::optional<Way> ordered{};  ///< nullopt: no order is alive, so it does not back off either
        bool may_touch = false;        ///< the order permits touching: a bump only ends it
    };
    void step(const Senses& senses, const Situation& situation, Instant now);
    /// Ends backing off, because of a stop or because the motors are off.
    void end() { away_.reset(); }
    /// Blocks this direction for the source, because the robot got stuck.
    void hold(Way way) { held_ = way; }

    /// Returns the direction of backing off: ahead or back; nullopt if it does not.
    std::optional<Way> away() const { return away_ ? std::optional(away_->way) : std::nullopt; }
    std::optional<MotionReason> reason() const { return away_ ? std::optional(away_->why) : std::nullopt; }
    /// Returns whether this direction is blocked for the source.
    bool holds(Way way) const { return held_ == way; }

private:
    /// Maximum duration of a reflex, even if the robot cannot move.
    static constexpr Duration limit = std::chrono::seconds(3);

    struct Away {
        Way way;
        MotionReason why;
        Instant ends;   ///< of the whole reflex
        Instant until;  ///< measured from the start of the motion
    };
    void begin(const Senses& senses, const Situation& situation, Instant now);
    bool is_over(const Senses& senses, Way driven, Instant now);

    Duration back_off_;
    std::optional<Away> away_;
    std::optional<Way> held_;
};

}  // namespace caribou::motion
