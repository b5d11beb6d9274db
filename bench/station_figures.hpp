#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// The figures of a station, each measured and reported by one of these.
namespace caribou::bench {

/// The share of a core that the program `caribou station` uses (its processor time) while 1,000 robots, in
/// processes of their own, each with its key, send sealed telemetry at 10 Hz and a program watches them all,
/// and its memory for each of them, kib_per_robot; both for the first 100 robots as well, which shows that
/// they grow with the number and no faster. robots_1000_hz is how often telemetry really came of each: a busy
/// machine is late. Then how long a new watcher waits for the whole picture, watcher_full_ms: the slowest of
/// ten.
void robots_1000_core(const Report& report, const Effort& effort);

/// From a command that is handed to a station to the call of the robot's motors, on loopback, with all
/// threads of the robot, p50 and p99. The floor is how late a bare timer was meanwhile.
void command_p99_ms(const Report& report, const Effort& effort);

/// Of 1,000 robots that are driven by a station on virtual time, while its link is cut (a third each: the
/// station is killed, the link is half-open, the same with 10 % loss before and after), in how many the
/// motors stood within the time to live of the last command that arrived and the time that they need to stop,
/// telemetry was fresh within 200 ms of its healing where the session stood, and nothing was carried out that
/// was given before or during the cut, after it.
void link_cut_ok(const Report& report, const Effort& effort);

/// Of 1,000,000 datagrams that were replayed, altered or sealed with another key, how many the program
/// `caribou station` took for its robot's, by its own count.
void datagrams_accepted(const Report& report, const Effort& effort);

/// 1,000 robots that call the program `caribou station` at once, each with a key of its own, until all have
/// proven it by TLS and were told where telemetry goes. And how long a robot that was connected before took
/// at most to answer a command meanwhile, reconnect_others_ms.
void reconnect_1000_s(const Report& report, const Effort& effort);

/// Recording, from messages to bytes that would outlast a power cut, compared with a plain write of the
/// same bytes: how many of them a second, value to floor. And what of them was lost, record_lost.
void record_ratio(const Report& report, const Effort& effort);

/// How many times as fast as it was a recording of 100 robots at 10 Hz can be played, while a watcher looks;
/// it is asked for 1,000.
void replay_speed(const Report& report, const Effort& effort);

}  // namespace caribou::bench
