#pragma once

#include "loop/clock.hpp"

namespace caribou {

/// The machine's clocks, read at each call (about 20 ns, no system call). Instants count from the epoch of
/// std::chrono::steady_clock. Thread-safe.
class SystemClock final : public Clock {
public:
    Instant now() const override;
    WallTime wall() const override;
    double boot_seconds() const override;
};

}  // namespace caribou
