#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// The figures of a robot, each measured and reported by one of these.
namespace caribou::bench {

/// Of 1,000 trials, in how many the motors were slowed within the time to live, one period and 10 ms
/// of the last order: 400 whose source was killed, 400 whose source hung while a thread renewed for
/// it, and 200 whose time of day was set (on virtual time, since the machine's is everybody's).
void deadman_ok(const Report& report, const Effort&);

/// Of 1,000 trials, in how many the motors were slowed within one period and 10 ms of a full stop,
/// with all queues full and both cores busy. Trials in which a bare timer was itself more than 10 ms
/// late are not among them: they are reported apart, as stop_machine_late.
void stop_ok(const Report& report, const Effort&);

/// From an order on another thread to the call of the motors, p50 and p99. The floor is how late a bare
/// timer was meanwhile.
void order_to_motor(const Report& report, const Effort&);

/// The same from a command that a station sends over TCP to a whole robot, with all its threads.
void command_to_motor(const Report& report, const Effort&);

/// Of 100 rooms of 10 x 10 m, each from a seed, in how many a robot sees at least 95 % of what it can reach
/// within 10 minutes, touches nothing above creep speed, and docks before its battery, which is made small
/// for that, is empty. And how much faster than real time that is: body, propulsion and behaviors in one
/// thread.
void explore_ok(const Report& report, const Effort&);

/// How much faster than life the whole system is simulated: one robot with its program, station, bus and
/// room, every promise checked, for one hour.
void sim_speedup(const Report& report, const Effort&);
/// The seconds for a whole day of that.
void day_s(const Report& report, const Effort&);

}  // namespace caribou::bench
