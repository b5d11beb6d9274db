#pragma once

#include "loop/time.hpp"

namespace caribou::bus {

/// The present time on the broker's clocks.
struct Moment {
    Instant now;     ///< not warped: for silence, handshakes, stalls
    Instant warped;  ///< for subscription intervals and the DB_ variables
    double stamp;    ///< UNIX seconds, for time stamps of messages
};

}  // namespace caribou::bus
