#pragma once

#include "bus_lane.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// Messages per second that the subscriber gets; every one that was sent has to arrive.
double rate(Lane& lane, std::size_t per_packet, Seconds round);

}  // namespace caribou::bench
