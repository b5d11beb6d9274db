#pragma once

#include "loop/time.hpp"

namespace caribou {

/// Returns when a periodic task is due next: one period after it was last due, so that delays do not
/// accumulate. If a whole period or more was missed, returns one period from now instead of catching up.
constexpr Instant due_again(Instant due, Duration period, Instant now) {
    return due + period > now ? due + period : now + period;
}

}  // namespace caribou
