#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of the bus; each function measures and reports one figure.
namespace caribou::bench {

/// One message of 64 B at a time, the next one after its arrival; p50 of the latency. latency_1khz: the same
/// with one message per millisecond, so that all threads are asleep in between.
void latency_closed(const Report& report, const Effort& effort);
void latency_1khz(const Report& report, const Effort& effort);

/// Messages of 64 B per second, in one direction: a hundred per packet, or one.
void throughput_batched(const Report& report, const Effort& effort);
void throughput_single(const Report& report, const Effort& effort);

/// Deliveries per second from one publisher to 50 subscribers, and the longest time during which a subscriber
/// received nothing.
void fanout_50(const Report& report, const Effort& effort);

/// Time from the first connect to the last welcome of 1,000 clients; the broker's memory per client; the
/// whole broker with 10,000 clients, each of which has been answered.
void connect_1000_s(const Report& report, const Effort& effort);
void bytes_per_client(const Report& report, const Effort& effort);
void hold_10000_mb(const Report& report, const Effort& effort);

/// How many clients reconnect after the broker was ended, alternately by SIGTERM and SIGKILL, and
/// restarted: 50 clients, 20 restarts; all are promised to. The clients give up for ever if a handshake is
/// cut, like those of the original.
void reconnect_ok(const Report& report, const Effort& effort);

/// Time for one client to write 100,000 new variables, until the answer after the last packet, and the
/// longest time that another client waited for the answer to a heartbeat meanwhile.
void variables_100k_s(const Report& report, const Effort& effort);
/// Longest time that a client waited for the answer to a heartbeat while another one sent 300 wildcard
/// registrations that each match 10 of 100,000 variables.
void wildcards_100k_wait_ms(const Report& report, const Effort& effort);

/// Our client on our loop relative to a raw one on a blocking socket, through the same broker: p50 of the
/// round trip of one message (of a hundred in one packet), from encoding to decoded fields.
void client_overhead(const Report& report, const Effort& effort);
void client_overhead_batched(const Report& report, const Effort& effort);

/// Allocations of a broker in steady state, over all messages in and out.
void allocations_per_message(const Report& report, const Effort& effort);

}  // namespace caribou::bench
