#pragma once

#include <string>

#include "motion/body.hpp"
#include "motion/motion_command.hpp"
#include "robot/telemetry_round.hpp"

namespace caribou::robot {

/// The interface of a robot to its behaviors, passed to the classes that files name. Facts used by conditions
/// are in behavior::Facts.
class AiControl {
public:
    virtual ~AiControl() = default;
    virtual const motion::BodyPlan& body() const = 0;
    /// Returns the latest round. It is fresh: the AI halts the robot instead of ticking with old data.
    virtual const TelemetryRound& telemetry() const = 0;
    /// Sets the movement or velocity until the next tick; a behavior that continues to drive must call it in
    /// every tick. The last call in a tick is used; without a call the robot halts.
    virtual void drive(motion::MotionCommand command) = 0;
    /// Same, but the robot may touch its goal, a dock or a cube, at creep speed.
    virtual void drive_touching(motion::MotionCommand command) = 0;
    virtual void set_lights(motion::BodyLights lights) = 0;
    /// The robot is beside the cube of this name, so that it is the one to connect to now.
    virtual void expect_cube(const std::string& name) { static_cast<void>(name); }
};

}  // namespace caribou::robot
