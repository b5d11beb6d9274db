#pragma once

#include "loop/clock.hpp"

namespace caribou {

/// Detects that a loop did not turn for more than 100 ms, because its thread hung, its process was stopped or
/// its machine was suspended. Input that the loop reads right afterwards may have waited for that long.
class StallWatch {
public:
    explicit StallWatch(const Clock& clock) : clock_(clock), turned_(clock.boot_seconds()) {}

    /// Must be called in the loop at least every `turn_period`.
    void turn() {
        const double now = clock_.boot_seconds();
        const double gap = now - turned_;
        turned_ = now;
        if (gap <= longest_turn) return;
        gap_ = gap;
        until_ = now + time_to_read;
    }
    /// Returns the duration of a stall that has just ended, otherwise zero.
    Duration gap() {
        turn();
        return turned_ < until_ ? from_seconds(gap_) : Duration::zero();
    }

    static constexpr Duration turn_period = std::chrono::milliseconds(50);

private:
    static constexpr double longest_turn = 0.1;
    /// Input that arrived during a stall is read within this time after it.
    static constexpr double time_to_read = 0.25;

    const Clock& clock_;
    double turned_;     ///< last turn of the loop
    double gap_ = 0;    ///< duration of the latest stall
    double until_ = 0;  ///< end of time_to_read after it
};

}  // namespace caribou
