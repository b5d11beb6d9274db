#pragma once

#include "base/result.hpp"
#include "loop/loop.hpp"

namespace caribou {

/// How much faster time passes.
struct Warp {
    static constexpr double max_factor = 400.0;

    double factor = 1.0;

    /// Refuses factors outside (0, max_factor].
    static Result<Warp> make(double factor);
};

/// A clock that runs `factor` times as fast as the underlying clock, starting when it is created.
class WarpedClock final : public Clock {
public:
    WarpedClock(const Clock& below, Warp warp);
    Instant now() const override;
    /// Starts at the true time of day and runs `factor` times as fast. Steps of the time of day below are
    /// passed on as they are.
    WallTime wall() const override;
    /// The UNIX time below, multiplied by the factor: all programs of a MOOS community with a time warp stamp
    /// their messages so. It soon leaves the range of WallTime.
    double unix_seconds() const override;
    /// All times at one moment; the underlying monotonic clock and time of day are each read only once.
    struct Reading {
        Instant below;
        Instant now;
        double unix_seconds;
    };
    Reading read() const;
    /// Returns the first instant of the underlying clock at which this clock shows `warped` or later.
    Instant below_at(Instant warped) const;

private:
    Instant at(Instant below) const;

    const Clock& below_;
    Warp warp_;
    Instant start_;
};

/// A loop with a warped clock and warped timers. Components that run on it need no change.
class WarpedLoop final : public Loop {
public:
    WarpedLoop(Loop& below, Warp warp) : below_(below), clock_(below.clock(), warp) {}
    const WarpedClock& clock() const override { return clock_; }
    void post(Task task) override { below_.post(std::move(task)); }
    std::unique_ptr<Timer> make_timer(Task on_due) override;

private:
    Loop& below_;
    WarpedClock clock_;
};

}  // namespace caribou
