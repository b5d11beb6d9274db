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
};

}  // namespace caribou
