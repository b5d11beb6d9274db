#pragma once

#include <sys/types.h>

#include "base/result.hpp"

namespace caribou {

/// SCHED_FIFO priorities of the threads and processes between an order and the motors. Must not exceed
/// `LimitRTPRIO` in packaging/caribou-robot.service.
constexpr int world_priority = 40;   ///< a served world, in place of a motor board
constexpr int driver_priority = 45;  ///< the driver of a robot in a served world
constexpr int propulsion_priority = 50;
constexpr int watchdog_priority = 60;  ///< above propulsion, which it supervises
constexpr int guard_priority = 70;     ///< above all

/// Gives the calling thread this priority. Processes and threads that it starts do not inherit it. Fails with
/// the system's error if the process may not have it.
Result<void> prefer_real_time(int priority);

/// Lets the processes of a group that was killed end before all other work: until they have got a core, their
/// files stay open. No effect if this process may not do so.
void hasten_end(pid_t group);

}  // namespace caribou
