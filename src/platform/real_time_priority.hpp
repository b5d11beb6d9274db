#pragma once

namespace caribou {

/// SCHED_FIFO priorities of the robot's threads and of its guard. Must not exceed `LimitRTPRIO` in
/// packaging/caribou-robot.service.
constexpr int propulsion_priority = 50;
constexpr int watchdog_priority = 60;  ///< above propulsion, which it supervises
constexpr int guard_priority = 70;     ///< above both

}  // namespace caribou
