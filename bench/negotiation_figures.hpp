#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// The figures of negotiation, each measured and reported by one of these.
namespace caribou::bench {

/// A choice among 16 types for 1,000 subscriptions that list one each. The floor is the search through all
/// sets of types: the other way of doing it, not a bound.
void solve_16x1000_ms(const Report& report, const Effort& effort);

/// The same among 64 types, as people list them. The worst of ten problems; ends the program if one of the
/// answers is not proven to be the best.
void solve_64x1000_skewed_ms(const Report& report, const Effort& effort);

/// The worst of ten problems that are made to be hard: each lists 3 or 5 of 64. Ends the program if an
/// answer is none.
void adversarial_worst_ms(const Report& report, const Effort& effort);

/// From nothing until 1,000 subscriptions that come one after another within 100 ms of virtual time are
/// connected. Ends the program if more than one result was sent in 10 ms.
void join_1000_ms(const Report& report, const Effort& effort);

/// A message through a negotiated topic within the process, to that through the plain transport.
void publish_ratio(const Report& report, const Effort& effort);

/// A round trip of 64 bytes, or 64 KiB, over the DDS transport between two processes, to that of ddsperf.
void dds_ratio_64(const Report& report, const Effort& effort);
void dds_ratio_64k(const Report& report, const Effort& effort);

}  // namespace caribou::bench
