#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of a robot; each function measures and reports one figure.
namespace caribou::bench {

/// In how many of 1,000 trials the motors were slowed within the time to live, one period and 10 ms of the
/// last order: 400 with a killed source, 400 with a source that hung while a thread renewed for it, and 200
/// in which the time of day was set (on virtual time, because the machine's clock is shared).
void deadman_ok(const Report& report, const Effort&);

/// In how many of 1,000 trials the motors were slowed within one period and 10 ms of a full stop, with all
/// queues full and both cores busy. Trials in which a bare timer was itself more than 10 ms late are excluded
/// and reported as stop_machine_late.
void stop_ok(const Report& report, const Effort&);

/// Time from an order on another thread to the call of the motors, p50 and p99. The floor is the lateness of
/// a bare timer meanwhile.
void order_to_motor(const Report& report, const Effort&);

/// The same, from a command that a station sends over TCP to a complete robot with all its threads.
void command_to_motor(const Report& report, const Effort&);

/// In how many of 500 random rooms of 10 x 10 m (`--count N`: N) a robot sees at least 95 % of what it can
/// reach within 10 minutes, touches nothing above creep speed, and docks before its small battery is empty;
/// for how long it stays in one place at worst, without and with a reason (robot/stand_watch.hpp); and how
/// much faster than real time the simulation is, with body, propulsion and behaviors in one thread.
void explore_ok(const Report& report, const Effort& effort);

/// In how many of 500 random rooms of 10 x 10 m (`--count N`: N) a robot that is sent to its charger is at
/// most 2 cm and 3 degrees off when it has docked; and how far it is off at worst.
void dock_ok(const Report& report, const Effort& effort);

/// Speed of the simulation of the whole system relative to real time: one robot with its program, station,
/// bus and room, with all checks, for one hour.
void sim_speedup(const Report& report, const Effort&);
/// Seconds for a whole simulated day.
void day_s(const Report& report, const Effort&);

}  // namespace caribou::bench
