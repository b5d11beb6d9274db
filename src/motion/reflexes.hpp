#pragma once

#include <optional>

#include "motion/motion.hpp"
#include "motion/motion_senses.hpp"
#include "motion/way.hpp"

namespace caribou::motion {

/// Why the robot may not go there: a bumper is pressed on that side, or there is no floor.
std::optional<MotionReason> danger(const Senses& senses, Way way);

/// What the robot does by itself, below every source: it leaves what it has bumped into, or an
/// edge, by a short way back, and does not go there again before its source has wanted something
/// else.
class Reflexes {
public:
    explicit Reflexes(Duration back_off) : back_off_(back_off) {}

    struct Situation {
        Way driven = Way::rest;
        std::optional<Way> ordered{};  ///< none: no order lives, and so nothing is driven back either
        bool may_touch = false;        ///< the order is one for touching things: bumping ends it, no more
    };
    void step(const Senses& senses, const Situation& situation, Instant now);
    /// Nothing is left any more, be it because of a stop or because the motors are off.
    void end() { away_.reset(); }
    /// The source may not go there again, either: it got stuck.
    void hold(Way way) { held_ = way; }

    /// Where to go instead of what is ordered: ahead or back.
    std::optional<Way> away() const { return away_ ? std::optional(away_->way) : std::nullopt; }
    std::optional<MotionReason> reason() const { return away_ ? std::optional(away_->why) : std::nullopt; }
    bool holds(Way way) const { return held_ == way; }

private:
    /// Longer than this it takes no reflex, whatever keeps it from moving.
    static constexpr Duration limit = std::chrono::seconds(3);

    struct Away {
        Way way;
        MotionReason why;
        Instant ends;   ///< of the whole
        Instant until;  ///< counted from when it moves
    };
    void begin(const Senses& senses, const Situation& situation, Instant now);
    bool is_over(const Senses& senses, Way driven, Instant now);

    Duration back_off_;
    std::optional<Away> away_;
    std::optional<Way> held_;
};

}  // namespace caribou::motion
