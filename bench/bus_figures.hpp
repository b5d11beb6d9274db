#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of the bus; each function measures and reports one figure.
namespace caribou::bench {

/// One message of 64 B at a time, the next one after its arrival; p50 of the latency. latency_1khz: the same
/// with one message per millisecond, so that all threads are asleep in between.
void latency_closed(const Report& report, const Effort& effort);
void latency_1khz(const Report& report, const Effort& effort);

/// The floor of throughput and fan-out, as printed with floor_relay_mps and floor_fanout_mps.
inline constexpr std::string_view how_the_floor_works =
    "a relay process reads up to 256 KiB and writes them as they are to each receiver; 64 B messages with 4 "
    "B "
    "of length and no other protocol; the sender writes 500 messages at once and does not wait for arrivals";

inline constexpr std::string_view how_same_bytes =
    "the relay with the packets of the protocol instead: how much of the distance is the size of its "
    "messages";

/// Messages of 64 B per second, in one direction: a hundred per packet, or one. The publisher writes many
/// packets at once and does not wait. _minimal: the same through a broker without anything that is not needed
/// (bus_minimal_broker.hpp). floor_relay_mps: the rate of the floor.
void throughput_batched(const Report& report, const Effort& effort);
void throughput_single(const Report& report, const Effort& effort);

/// p50 of the latency of ten clients, one message at a time, while another one floods the broker; the floor
/// is that without the flood.
void flood_latency(const Report& report, const Effort& effort);

/// Deliveries per second from one publisher to 50 subscribers, a hundred messages per packet, and the longest
/// time during which a subscriber received nothing. floor_fanout_mps: the rate of the floor.
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

/// Time per message of a publisher that writes many variables in turn, to a subscriber to all of them, with
/// 100,000 variables, with 10,000 other clients, with 1,000 wildcard registrations; the floor is that with a
/// hundredth. The variables of the last two are 1,000.
void grow_variables(const Report& report, const Effort& effort);
void grow_clients(const Report& report, const Effort& effort);
void grow_wildcards(const Report& report, const Effort& effort);

/// Our client on our loop relative to a raw one on a blocking socket, through the same broker: p50 of the
/// round trip of one message (of a hundred in one packet), from encoding to decoded fields.
void client_overhead(const Report& report, const Effort& effort);
void client_overhead_batched(const Report& report, const Effort& effort);

/// Allocations of a broker in steady state, over all messages in and out.
void allocations_per_message(const Report& report, const Effort& effort);

}  // namespace caribou::bench
