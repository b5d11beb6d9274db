#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of negotiation; each function measures and reports one figure.
namespace caribou::bench {

/// A choice among 16 types for 1,000 subscriptions that list one type each. The floor is an exhaustive search
/// through all sets of types: an alternative algorithm, not a bound.
void solve_16x1000_ms(const Report& report, const Effort& effort);

/// The same among 64 types, with realistic lists. The worst of ten problems; aborts if an answer is not
/// proved to be optimal.
void solve_64x1000_skewed_ms(const Report& report, const Effort& effort);

/// The worst of ten difficult problems: each subscription lists 3 or 5 of 64 types. Aborts if there is no
/// valid answer.
void adversarial_worst_ms(const Report& report, const Effort& effort);

/// Time until 1,000 subscriptions that arrive within 100 ms of virtual time are connected. Aborts if more
/// than one result was sent within 10 ms.
void join_1000_ms(const Report& report, const Effort& effort);

/// A message through a negotiated topic within the process, relative to the plain transport.
void publish_ratio(const Report& report, const Effort& effort);

/// Messages that a subscription behind five relays misses while the type changes 1,000 times. In virtual
/// time.
void chain_lost(const Report& report, const Effort& effort);

/// The longest interval between messages at a subscriber beyond the period, while another subscriber of the
/// topic is stopped: 100 kB over DDS, 50 times per second.
void slow_reader_gap_ms(const Report& report, const Effort& effort);

/// A round trip of 64 bytes, or 64 KiB, over the DDS transport between two processes, relative to that of
/// ddsperf.
void dds_ratio_64(const Report& report, const Effort& effort);
void dds_ratio_64k(const Report& report, const Effort& effort);

}  // namespace caribou::bench
