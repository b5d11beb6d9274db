#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "motion/body.hpp"

/// Names of the faults that main reports in telemetry, besides those of propulsion (motion/motion.hpp) and
/// the parts that a check of software or hardware found broken.
namespace caribou::robot::faults {

inline constexpr std::string_view state_lost =
    "state lost";  ///< the stored latch was missing or unreadable at the start
inline constexpr std::string_view latch_not_stored = "latch not stored";  ///< a full stop could not be stored
inline constexpr std::string_view guard_cut = "guard cut";  ///< the guard keeps the body stopped
inline constexpr std::string_view guard_gave_up =
    "guard gave up";  ///< the guard keeps it stopped until the robot is started again
inline constexpr std::string_view telemetry_too_slow =
    "telemetry.rate is too low for RM2";                            ///< behaviors of RM2 halt
inline constexpr std::string_view behavior_tree = "behavior_tree";  ///< replaced by one that stands still
inline constexpr std::string_view unguarded_body =
    "unguarded body";  ///< nothing outside the process can stop the body
inline constexpr std::string_view link_not_stored =
    "link record not stored";                           ///< the record of the station could not be stored
inline constexpr std::string_view network = "network";  ///< no way to the station; until one has connected
inline constexpr std::string_view not_self_checked = "not self-checked";  ///< RM2 and RM3 are refused
/// A sensor gives no readings.
inline std::string silence_of(const std::string& sensor) { return sensor + " is silent"; }

/// Returns the faults with silent sensors last: telemetry has room for a few only, and a hang that silences
/// sensors is a fault of its own.
std::vector<std::string> by_importance(const std::set<std::string>& all, const motion::BodyPlan& plan);

}  // namespace caribou::robot::faults
