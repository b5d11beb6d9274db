#pragma once

#include "loop/time.hpp"

namespace caribou {

/// Tells the time. Handed in: nothing outside platform reads the machine's clock.
class Clock {
public:
    virtual ~Clock() = default;
    /// For intervals and deadlines.
    virtual Instant now() const = 0;
    /// For stamps.
    virtual WallTime wall() const = 0;
    /// The same as seconds since 1970, which is what goes on the MOOS wire. The one to use there:
    /// the stamps of a time warp (loop/warp.hpp) soon leave the range of WallTime, which ends in 2262.
    virtual double unix_seconds() const { return to_unix_seconds(wall()); }
};

}  // namespace caribou
