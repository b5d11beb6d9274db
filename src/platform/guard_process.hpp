#pragma once

#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/guarded_body.hpp"

namespace caribou {

struct GuardOptions {
    std::vector<std::string> robot;  ///< the command line of the robot, this program's
    GuardedBodyPlan body;
    bool delegated = false;  ///< the control group of this process is delegated to it
};

/// Starts this program as a robot under a guard, which is this process, and returns the robot's exit status
/// once it has ended. Forwards SIGINT, SIGTERM, SIGHUP and SIGPWR to the robot. Called before the process has
/// threads, except that of the log.
Result<int> run_guard(const GuardOptions& options, Log& log);

}  // namespace caribou
