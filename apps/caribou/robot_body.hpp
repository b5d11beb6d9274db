#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "driver/driver_body.hpp"
#include "motion/guard_message.hpp"
#include "platform/locked_body.hpp"
#include "platform/system_clock.hpp"
#include "robot/cube_places.hpp"
#include "robot/robot_config.hpp"
#include "robot/running_world.hpp"
#include "robot/wiring.hpp"

namespace caribou::app {

/// Reads the wiring of a linux body.
Result<robot::Wiring> wiring_of(const robot::RobotConfig& config);

/// What the guard needs to know of a driver.
motion::DriverFacts facts_of(const driver::Hello& hello);

/// The body selected by the configuration, thread-safe.
class RobotBody {
public:
    /// Waits at most for the given time for what the guard sends.
    using WaitForGuard = std::function<void(Duration)>;

    /// The log and the inlet, which receives the connections to a driver, outlive it. Only a body with a
    /// driver uses the inlet, and waits for its first connection; without a guard it has none.
    static Result<std::unique_ptr<RobotBody>> make(const robot::RobotConfig& config, Log& log,
                                                   driver::DriverInlet& inlet, const WaitForGuard& wait);
    /// The hello of the driver; nullptr: the body has none.
    const driver::Hello* hello() const { return hello_ ? &*hello_ : nullptr; }

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
    std::optional<driver::Hello> hello_;
    world::RobotId robot_{};  ///< in the world, if there is one
};

}  // namespace caribou::app
