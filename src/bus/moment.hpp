#pragma once

#include "loop/time.hpp"

namespace caribou::bus {

/// The present, as the broker needs it.
struct Moment {
    Instant now;     ///< unwarped: silence, hand-shakes, stalls
    Instant warped;  ///< what subscribers' intervals and the DB_ variables go by
    double stamp;    ///< UNIX seconds to write into messages
};

}  // namespace caribou::bus
