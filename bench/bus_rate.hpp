#pragma once

#include "bus_lane.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// Returns the messages per second that the subscriber receives; every message sent must arrive. The
/// publisher does not wait for a message to arrive, and sends many packets at once.
double rate(Lane& lane, std::size_t per_packet, Seconds round);

}  // namespace caribou::bench
