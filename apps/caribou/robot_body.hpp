#pragma once

#include <memory>
#include <optional>

#include "base/log.hpp"
#include "base/result.hpp"
#include "platform/locked_body.hpp"
#include "platform/system_clock.hpp"
#include "robot/robot_config.hpp"
#include "robot/running_world.hpp"

namespace caribou::app {

/// The body that a configuration asks for, ready for several threads.
class RobotBody {
public:
    /// The log outlives it.
    static Result<std::unique_ptr<RobotBody>> make(const robot::RobotConfig& config, Log& log);

    robot::Body& body() { return *locked_; }
    /// Cubes that lie around in a simulated room.
    std::size_t cubes() const { return cubes_; }

private:
    RobotBody() = default;

    SystemClock clock_;
    std::optional<robot::RunningWorld> world_;
    std::unique_ptr<robot::Body> body_;
    std::unique_ptr<LockedBody> locked_;
    std::size_t cubes_ = 1;
};

}  // namespace caribou::app
