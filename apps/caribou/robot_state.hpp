#pragma once

#include <memory>
#include <string>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/key_folder.hpp"
#include "platform/latch_file.hpp"
#include "platform/state_lock.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Opens the stored latch of the robot. Must be called before the files of a first start are created. `log`
/// must outlive the latch.
std::unique_ptr<LatchFile> open_latch(const robot::RobotConfig& config, const KeyFolder& keys, Log& log);
/// Returns the path of the stored latch.
std::string latch_path(const robot::RobotConfig& config);

/// Locks the stored state of the robot, see StateLock.
Result<StateLock> lock_state(const robot::RobotConfig& config, StateLock::Use use);

/// Returns the path of the stored result of the self-check.
std::string self_check_path(const robot::RobotConfig& config);
/// Returns why RM2 and RM3 are refused until a self-check has passed, and the command that runs it; empty for
/// bodies that need none, and if it has passed for the present configuration of the body.
std::string not_self_checked(const robot::RobotConfig& config, const std::string& config_path);

}  // namespace caribou::app
