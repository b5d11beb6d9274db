#pragma once

#include "motion/body.hpp"
#include "motion/movement.hpp"
#include "robot/telemetry_round.hpp"

namespace caribou::robot {

/// What the behaviors of a robot see and do; handed to the classes that files name. Facts that
/// conditions look at are in behavior::Facts besides.
class AiControl {
public:
    virtual ~AiControl() = default;
    virtual const motion::BodyPlan& body() const = 0;
    /// The latest round, which is fresh: the AI halts rather than tick on old news.
    virtual const TelemetryRound& telemetry() const = 0;
    /// Where to go. Holds until the next tick only, so that who wants to go on says so in each; of several
    /// in one tick the last counts, and without any the robot halts.
    virtual void drive(motion::MovementCommand command) = 0;
    /// The same, and it may touch what it goes to, at creep speed: a dock, a cube.
    virtual void drive_touching(motion::MovementCommand command) = 0;
    virtual void set_lights(motion::BodyLights lights) = 0;
};

}  // namespace caribou::robot
