#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of cubes; each function measures and reports one figure. One thread, virtual time.
namespace caribou::bench {

/// Simulated hours per second with random subscribers and radio faults, from the radio up to the lights; data
/// streams are off. Aborts if the radio stays active without subscribers.
void simulated_hours_per_s(const Report& report, const Effort&);

/// One update of the coordinator with 1,000 subscribers, half of which expire.
void update_1000_us(const Report& report, const Effort&);

}  // namespace caribou::bench
