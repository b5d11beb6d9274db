// Orders of a velocity: everything that limits a movement limits them as well.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/motion_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

using VelocityOrder = MotionRig;

TEST_F(VelocityOrder, IsDrivenAsACurveAndReported) {
    hold(Velocity{0.2, 1.0}, 2s);
    EXPECT_NEAR(body.driven.right, 0.32, 1e-9);
    EXPECT_NEAR(body.driven.left, 0.08, 1e-9);
    EXPECT_EQ(report().command, MotionCommand(Velocity{0.2, 1.0}));
    EXPECT_EQ(report().movement, MovementClass::turn_fw);
    EXPECT_EQ(report().state, MovementState::forward) << "both wheels turn forward";
    EXPECT_EQ(report().reason, MotionReason::order);
    EXPECT_EQ(report().right_level, 2);
    EXPECT_EQ(report().left_level, 1);
}

TEST_F(VelocityOrder, MayFollowEveryMotionWithoutAHalt) {
    hold("MOVE_FW_2", 1s);
    for (const Velocity velocity : {Velocity{-0.2, 0.0}, {0.1, 2.0}, {0.0, -2.0}, {0.3, 0.3}}) {
        hold(velocity, 2s);
        EXPECT_EQ(report().reason, MotionReason::order);
    }
    EXPECT_EQ(report().movement, MovementClass::turn_fw);
}

TEST_F(VelocityOrder, CountsAsSwivelingWithWheelsInOppositeDirections) {
    hold(Velocity{0.05, 1.5}, 1s);
    EXPECT_GT(body.driven.right, 0.0);
    EXPECT_LT(body.driven.left, 0.0);
    EXPECT_EQ(report().movement, MovementClass::swiv_left);
    EXPECT_EQ(report().state, MovementState::swiveling_left);
}

TEST_F(VelocityOrder, StopsUnlessItIsRenewed) {
    hold(Velocity{0.3, 0.0}, 1s);
    loop.advance(settings.time_to_live - 100ms - settings.period);
    EXPECT_EQ(report().reason, MotionReason::order);
    loop.advance(settings.period + settings.braking_time() + settings.period);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::dead_man);
}

TEST_F(VelocityOrder, EndsInAFullStopAtOnceAndIsRefusedUntilTheRelease) {
    hold(Velocity{0.3, 1.0}, 1s);
    propulsion.full_stop(StopCause::operator_);
    EXPECT_TRUE(at_rest());
    hold(Velocity{0.3, 1.0}, 200ms);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(answers.back().refusal, MotionRefusal::stop_latched);
    propulsion.release_stop();
    hold(Velocity{0.3, 1.0}, 200ms);
    EXPECT_FALSE(at_rest());
}

TEST_F(VelocityOrder, OfZeroIsAcceptedDuringAFullStop) {
    propulsion.full_stop(StopCause::operator_);
    hold(Velocity{}, 100ms);
    EXPECT_FALSE(answers.back().refusal);
}

TEST_F(VelocityOrder, IsRefusedWithoutFiniteNumbers) {
    hold(Velocity{std::nan(""), 0.0}, 100ms);
    EXPECT_EQ(answers.back().refusal, MotionRefusal::bad_velocity);
    EXPECT_TRUE(at_rest());
}

TEST_F(VelocityOrder, IsSlowedDownOnTheSameCurveAndStoppedBeforeAnObstacle) {
    body.say("front", 0.2);
    hold(Velocity{0.3, 0.6}, 2s);
    EXPECT_EQ(report().reason, MotionReason::obstacle_slow);
    EXPECT_NEAR((body.driven.right - body.driven.left) / (body.driven.right + body.driven.left), 0.24, 1e-9);
    body.say("front", settings.stop_zone / 2);
    hold(Velocity{0.3, 0.6}, 500ms);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::obstacle_stop);
    hold(Velocity{-0.1, 0.0}, 500ms);
    EXPECT_LT(body.driven.right, 0.0) << "away from it";
}

TEST_F(VelocityOrder, IsStoppedBeforeAnObstacleAlsoIfOneWheelTurnsBackward) {
    body.say("front", settings.stop_zone / 2);
    hold(Velocity{0.05, 1.5}, 500ms);
    EXPECT_TRUE(at_rest()) << "its center would move forward";
    hold(Velocity{0.0, 1.5}, 500ms);
    EXPECT_FALSE(at_rest()) << "turning on the spot stays possible";
}

TEST_F(VelocityOrder, BacksOffFromABumpAndIsHeldUntilItGoesElsewhere) {
    hold(Velocity{0.3, 0.2}, 1s);
    body.say("bumper_front", true);
    hold(Velocity{0.3, 0.2}, 500ms);
    EXPECT_EQ(report().winner, MotionSource::reflex);
    EXPECT_EQ(report().movement, MovementClass::move_bw);
    body.say("bumper_front", false);
    hold(Velocity{0.3, 0.2}, 1s);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::held);
    hold(Velocity{0.0, 1.0}, 300ms);
    hold(Velocity{0.1, 0.0}, 300ms);
    EXPECT_FALSE(at_rest());
}

TEST_F(VelocityOrder, ComesToRestBeforeItTurnsAwayFromACliff) {
    hold(Velocity{0.4, 0.0}, 1500ms);
    body.say("cliff_front", true);
    const auto turn = [&] {
        propulsion.order({.source = MotionSource::operator_, .command = Velocity{0.0, 1.0}});
        loop.advance(20ms);
        return body.driven;
    };
    const double before = body.driven.right;
    EXPECT_NEAR(turn().right, before - 0.02 * settings.stop_deceleration, 1e-9);
    turn();
    EXPECT_EQ(body.driven.right, body.driven.left);
    hold(Velocity{0.0, 1.0}, 500ms);
    EXPECT_EQ(report().winner, MotionSource::reflex) << "it backs off first";
}

class StrictVelocityOrder : public MotionRig {
protected:
    StrictVelocityOrder() : MotionRig({.strict_transitions = true}) {}
};

TEST_F(StrictVelocityOrder, IsNotRefusedButAMovementAfterItIs) {
    hold("MOVE_FW_1", 500ms);
    hold(Velocity{0.0, 1.0}, 1s);
    EXPECT_EQ(report().movement, MovementClass::swiv_left);
    order("MOVE_FW_1");
    EXPECT_EQ(answers.back().refusal, MotionRefusal::illegal_transition);
    order("SWIV_LEFT_1");
    EXPECT_FALSE(answers.back().refusal);
}

}  // namespace
}  // namespace caribou::motion
