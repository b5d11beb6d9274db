#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adapters/body/robot_lock.hpp"
#include "adapters/keys/key_folder.hpp"
#include "adapters/robot_files/latch_file.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// Opens the stored latch of the robot. Must be called before the files of a first start are created. `log`
/// must outlive the latch.
std::unique_ptr<LatchFile> open_latch(const robot::RobotConfig& config, const KeyFolder& keys, Log& log);
/// Returns the path of the file that is locked while the robot runs.
std::string lock_path(const robot::RobotConfig& config);
/// Returns the path of the folder with the stored maps.
std::string map_folder(const robot::RobotConfig& config);
/// Returns the path of the stored latch.
std::string latch_path(const robot::RobotConfig& config);

/// Locks the stored state and the devices of the robot. Must be called before anything of it is used. Fails
/// if another program has them. If the lock file cannot be created, prints a warning and returns nullopt.
/// `guard` is the guard of this process; 0: it has none.
Result<std::optional<RobotLock>> lock_robot(const robot::RobotConfig& config, RobotLock::Holder holder,
                                            pid_t guard = 0);

/// Returns why a program that is not the robot must not move the body: the stored full stop. Empty if there
/// is none.
std::string stored_stop(const robot::RobotConfig& config);

/// Returns the path of the stored result of the self-check.
std::string self_check_path(const robot::RobotConfig& config);
/// Returns why RM2 and RM3 are refused until a self-check has passed, and the command that runs it; empty for
/// bodies that need none, and if it has passed for the present configuration of the body.
std::string not_self_checked(const robot::RobotConfig& config, const std::string& config_path);

}  // namespace caribou::app
