#pragma once

#include "loop/time.hpp"

namespace caribou {

/// When something that recurs is due again: a period after it was due, so that being late does not add up.
/// What was missed for a whole period is not made up for.
constexpr Instant due_again(Instant due, Duration period, Instant now) {
    return due + period > now ? due + period : now + period;
}

}  // namespace caribou
