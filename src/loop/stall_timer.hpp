#pragma once

#include <memory>

#include "loop/loop.hpp"
#include "loop/stall_watch.hpp"

namespace caribou {

/// A StallWatch that turns by itself, for a component that receives commands without a time.
class StallTimer {
public:
    /// The loop must outlive this object, and call it from its first turn on.
    explicit StallTimer(Loop& loop)
        : loop_(loop), watch_(loop.clock()), timer_(loop.make_timer([this] { turn(); })) {
        timer_->arm(loop.clock().now());
    }

    /// Returns the time at which a command that is read now was received at the latest, by
    /// Clock::boot_seconds(): earlier than now right after a stall of the loop.
    double received() { return loop_.clock().boot_seconds() - to_seconds(watch_.gap()); }

private:
    void turn() {
        watch_.turn();
        timer_->arm(loop_.clock().now() + StallWatch::turn_period);
    }

    Loop& loop_;
    StallWatch watch_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
