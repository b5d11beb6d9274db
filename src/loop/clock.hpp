#pragma once

#include "loop/time.hpp"

namespace caribou {

/// A source of time. Passed in by the caller: only platform reads the machine's clocks.
class Clock {
public:
    virtual ~Clock() = default;
    /// Returns the monotonic time, for intervals and deadlines.
    virtual Instant now() const = 0;
    /// Returns the time of day, for timestamps.
    virtual WallTime wall() const = 0;
    /// The same as seconds since 1970, which is what goes on the MOOS wire. The one to use there:
    /// the stamps of a time warp (loop/warp.hpp) soon leave the range of WallTime, which ends in 2262.
    virtual double unix_seconds() const { return to_unix_seconds(wall()); }
    /// Returns the seconds since the machine was started, including the time during which it was suspended.
    /// This clock is never set; it measures the age of what other processes and machines have sent.
    virtual double boot_seconds() const { return to_seconds(now().time_since_epoch()); }
};

}  // namespace caribou
