#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "adapters/body/guarded_body.hpp"
#include "base/log.hpp"
#include "base/result.hpp"

namespace caribou {

/// A body as the configuration describes it.
struct ConfiguredBody {
    GuardedBodyPlan plan;
    std::string digest;  ///< of its configuration
};

struct GuardOptions {
    std::vector<std::string> robot;  ///< the command line of the robot, this program's
    ConfiguredBody body;
    /// Reads the configuration again. Called when a robot starts with another one than the guard has.
    std::function<Result<ConfiguredBody>()> read_body;
    /// Stores that the robot starts stopped. Called when the robot had to be killed because it did not end.
    std::function<void()> store_stop;
    /// Called with the process id of the robot once it is started; may be empty.
    std::function<void(pid_t)> on_robot_started{};
    bool delegated = false;                  ///< the control group of this process is delegated to it
    std::vector<std::string> environment{};  ///< further settings NAME=VALUE of the robot
    std::vector<int> inherited{};            ///< further descriptors that the robot keeps
};

/// Starts this program as a robot under a guard, which is this process, and returns the robot's exit status
/// once it has ended. Forwards SIGINT, SIGTERM, SIGHUP and SIGPWR to the robot. Called before the process has
/// threads, except that of the log.
Result<int> run_guard(const GuardOptions& options, Log& log);

}  // namespace caribou
