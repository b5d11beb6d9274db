#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of apps and tools; each function measures and reports one figure.
namespace caribou::bench {

/// Latency of a message to an app in mode 1 and of its answer, relative to a plain client's handler; p50 of
/// the round trip.
void mode1_ratio(const Report& report, const Effort& effort);

/// Loss of broker throughput caused by storing values (`caribou db --data`), in percent.
void journal_cost(const Report& report, const Effort& effort);

/// Milliseconds to restore a broker's variables from a journal on the disk; the floor is reading and
/// checksumming the same file.
void recover_ratio(const Report& report, const Effort& effort);

/// `caribou record` at 100,000 messages per second: percent of a core (record_100k_core), and number of
/// messages missing in the log (record_lost).
void record_100k(const Report& report, const Effort& effort);

/// `caribou scope` on a terminal with 10,000 variables, each written once per second: percent of a core.
void scope_10k_core(const Report& report, const Effort& effort);

}  // namespace caribou::bench
