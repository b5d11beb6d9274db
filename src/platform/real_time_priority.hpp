#pragma once

namespace caribou {

/// SCHED_FIFO priorities of the robot's threads. `LimitRTPRIO` of packaging/caribou-robot.service is the
/// highest of them.
constexpr int propulsion_priority = 50;
constexpr int watchdog_priority = 60;  ///< above propulsion, which it watches

}  // namespace caribou
