#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/locked_body.hpp"
#include "platform/system_clock.hpp"
#include "robot/cube_places.hpp"
#include "robot/robot_config.hpp"
#include "robot/running_world.hpp"
#include "robot/wiring.hpp"

namespace caribou::app {

/// Reads the wiring of a linux body.
Result<robot::Wiring> wiring_of(const robot::RobotConfig& config);

/// The body that a configuration asks for, ready for several threads.
class RobotBody {
public:
    /// The log outlives it.
    static Result<std::unique_ptr<RobotBody>> make(const robot::RobotConfig& config, Log& log);

    /// Only reads the file that the configuration names.
    static Result<void> check(const robot::RobotConfig& config);

    motion::Body& body() { return *locked_; }
    /// Returns the cubes of a simulated room; elsewhere, one that is 1 m away. Thread-safe.
    std::vector<robot::CubeAway> cubes_around();

private:
    RobotBody() = default;

    SystemClock clock_;
    std::optional<robot::RunningWorld> world_;
    std::unique_ptr<motion::Body> body_;
    std::unique_ptr<LockedBody> locked_;
    world::RobotId robot_{};  ///< in the world, if there is one
};

}  // namespace caribou::app
