#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of a station; each function measures and reports one figure.
namespace caribou::bench {

/// The share of a core (CPU time) that the program `caribou station` uses while 1,000 robots, in processes of
/// their own and each with its key, send sealed telemetry at 10 Hz and a program watches them all, and its
/// memory per robot, kib_per_robot; both for the first 100 robots as well, to show that they grow at most
/// linearly. robots_1000_hz is the actual telemetry rate per robot, which is lower on a busy machine.
/// watcher_full_ms is how long a new watcher waits for the complete picture: the slowest of ten.
void robots_1000_core(const Report& report, const Effort& effort);

/// Time from a command passed to a station to the call of the robot's motors, on loopback, with all threads
/// of the robot, p50 and p99. The floor is the lateness of a bare timer meanwhile.
void command_p99_ms(const Report& report, const Effort& effort);

/// In how many of 1,000 robots driven by a station on virtual time, whose link is cut (a third each: the
/// station is killed, the link is half-open, the same with 10 % loss before and after), the motors stopped
/// within the time to live of the last received command plus their stopping time, telemetry was fresh within
/// 200 ms after the link was restored if the session survived, and no command given before or during the cut
/// was executed after it.
void link_cut_ok(const Report& report, const Effort& effort);

/// How many of 1,000,000 datagrams that were replayed, modified or sealed with another key the program
/// `caribou station` accepted as its robot's, by its own counter.
void datagrams_accepted(const Report& report, const Effort& effort);

/// Time until 1,000 robots that call the program `caribou station` at once, each with its own key, have
/// authenticated over TLS and received the telemetry address. reconnect_others_ms is the longest time that an
/// already connected robot took to answer a command meanwhile.
void reconnect_1000_s(const Report& report, const Effort& effort);

/// Throughput of recording, from messages to bytes that survive a power failure, relative to a plain write of
/// the same bytes. record_lost is the number of lost messages.
void record_ratio(const Report& report, const Effort& effort);

/// How many times faster than real time a recording of 100 robots at 10 Hz can be replayed while a watcher is
/// connected; the requested speed is 1,000.
void replay_speed(const Report& report, const Effort& effort);

}  // namespace caribou::bench
