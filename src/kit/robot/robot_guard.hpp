#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/body/guarded_body.hpp"
#include "adapters/body/robot_lock.hpp"
#include "base/result.hpp"
#include "kit/program/exit.hpp"
#include "platform/background_log.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Returns how the body of this configuration is stopped from outside the robot's process, or nullopt if it
/// cannot be, or is simulated. Reads the files that the configuration names.
Result<std::optional<GuardedBodyPlan>> guard_plan_of(const robot::RobotConfig& config);

/// Whether the body is another one than `sim` and `null`.
bool is_real(const robot::RobotConfig& config);

/// Whether the body is real and has no way to be stopped from outside.
Result<bool> is_unguarded(const robot::RobotConfig& config);

/// Fails for a body that has no way to be stopped from outside, unless `body.unguarded` is set.
Result<void> check_guard(const robot::RobotConfig& config);

/// Runs the robot with these words (`caribou robot ...`) under a guard, which this process becomes. A robot
/// that starts anew (RM5) with a changed section [body] is guarded as the file at `path` describes it then.
/// The robot shares the locks.
Exit run_guarded(const robot::RobotConfig& config, const std::string& path, const GuardedBodyPlan& plan,
                 std::vector<std::string> words, bool delegated, const std::optional<RobotLock>& lock);

/// Opens the log that the configuration names. Writing to it never waits for a disk or a pipe.
Result<std::unique_ptr<BackgroundLog>> open_robot_log(const robot::RobotConfig& config);

}  // namespace caribou::app
