#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// What apps and tools cost, each figure measured and reported by one of these.
namespace caribou::bench {

/// The way of a message to an app in mode 1 and of its answer back, over the same with the handler
/// of a plain client in the app's place; p50 of the round trip.
void mode1_ratio(const Report& report, const Effort& effort);

/// How much of a broker's throughput it costs to keep values (`caribou db --data`), in per cent.
void journal_cost(const Report& report, const Effort& effort);

/// Milliseconds from a journal on the disk to the variables of a broker; the floor is reading and
/// checksumming the same file.
void recover_ratio(const Report& report, const Effort& effort);

/// `caribou record` at 100,000 messages a second: per cent of a core (record_100k_core), and how many
/// messages are missing in the log (record_lost).
void record_100k(const Report& report, const Effort& effort);

/// `caribou scope` on a terminal, of 10,000 variables that are each written once a second: per cent of
/// a core.
void scope_10k_core(const Report& report, const Effort& effort);

}  // namespace caribou::bench
