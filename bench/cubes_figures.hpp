#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// The figures of cubes, each measured and reported by one of these. One thread, virtual time.
namespace caribou::bench {

/// How many hours of random subscribers and radio faults, from the radio up to the lights, pass in a
/// second; data streams are off. Ends the program if the radio does not rest when nobody is left.
void simulated_hours_per_s(const Report& report, const Effort&);

/// One update of the coordinator with 1,000 subscribers, half of which expire some day.
void update_1000_us(const Report& report, const Effort&);

}  // namespace caribou::bench
