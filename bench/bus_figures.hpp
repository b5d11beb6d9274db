#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// The figures of the bus, each measured and reported by one of these.
namespace caribou::bench {

/// One message of 64 B, and the next when it has arrived; p50 of the way through. latency_1khz:
/// the same, but a message every millisecond, so that everything has gone to sleep in between.
void latency_closed(const Report& report, const Effort& effort);
void latency_1khz(const Report& report, const Effort& effort);

/// Messages of 64 B per second, one way: a hundred in each packet, or one.
void throughput_batched(const Report& report, const Effort& effort);
void throughput_single(const Report& report, const Effort& effort);

/// Deliveries per second from one publisher to 50 subscribers, and the longest time that any
/// subscriber heard nothing meanwhile.
void fanout_50(const Report& report, const Effort& effort);

/// From the first connect to the last welcome of 1,000 clients; the broker's memory for each of
/// them; the whole broker with 10,000, each of which it has answered.
void connect_1000_s(const Report& report, const Effort& effort);
void bytes_per_client(const Report& report, const Effort& effort);
void hold_10000_mb(const Report& report, const Effort& effort);

/// The share of clients that come back when the broker is ended, by SIGTERM and by SIGKILL in turns, and
/// started again: 50 clients, 20 restarts. The clients give up for ever when a handshake is cut, as the
/// original's do.
void reconnect_ok(const Report& report, const Effort& effort);

/// From the first packet to the answer behind the last of one client that writes 100,000 new variables, and
/// the longest that another client waited for the answer to a heartbeat meanwhile.
void variables_100k_s(const Report& report, const Effort& effort);

/// Our client on our loop over a raw one on a blocking socket, through the same broker: p50 of
/// the round trip of a message (of a hundred in one packet) that it wrote itself, from
/// encoding it to having its fields.
void client_overhead(const Report& report, const Effort& effort);
void client_overhead_batched(const Report& report, const Effort& effort);

/// Of a broker in steady state, over all messages in and out.
void allocations_per_message(const Report& report, const Effort& effort);

}  // namespace caribou::bench
