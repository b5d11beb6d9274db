#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "adapters/body/locked_body.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "driver/driver_body.hpp"
#include "motion/guard_message.hpp"
#include "platform/system_clock.hpp"
#include "robot/config_contradictions.hpp"
#include "robot/cube_places.hpp"
#include "robot/robot_config.hpp"
#include "robot/running_world.hpp"
#include "robot/wiring.hpp"
#include "world/camera_scene.hpp"

namespace caribou::app {

/// Reads the wiring of a linux body.
Result<robot::Wiring> wiring_of(const robot::RobotConfig& config);

/// Checks that the body has the sensors that telemetry.sensors_off names.
Result<void> check_sensors_off(const robot::RobotConfig& config, const motion::BodyPlan& plan);

/// What the guard needs to know of a driver.
motion::DriverFacts facts_of(const driver::Hello& hello);

/// The body selected by the configuration, thread-safe.
class RobotBody {
public:
    /// Waits at most for the given time for what the guard sends. Returns why the guard cannot start the
    /// driver; empty if it can.
    using WaitForGuard = std::function<std::string(Duration)>;

    /// The log and the inlet, which receives the connections to a driver, outlive it. Only a body with a
    /// driver uses the inlet, and waits for its first connection; without a guard it has none.
    static Result<std::unique_ptr<RobotBody>> make(const robot::RobotConfig& config, Log& log,
                                                   driver::DriverInlet& inlet, const WaitForGuard& wait);
    /// The hello of the driver; nullptr: the body has none.
    const driver::Hello* hello() const { return hello_ ? &*hello_ : nullptr; }

    /// Returns why the body could not be opened. Reads the files that the configuration names, and starts
    /// nothing.
    static std::vector<robot::Contradiction> check(const robot::RobotConfig& config);

    motion::Body& body() { return *locked_; }
    /// Returns the cubes of a simulated room; elsewhere, one that is 1 m away. Thread-safe.
    std::vector<robot::CubeAway> cubes_around();
    /// Puts a cube of a simulated room in front of the robot. Thread-safe.
    Result<void> bring_cube(std::size_t cube);
    /// Returns what the camera of a simulated robot sees; nullopt if it is not simulated, or if a call of the
    /// body hangs. Thread-safe.
    std::optional<world::CameraScene> camera_scene(std::span<const Pixel> lights);

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
