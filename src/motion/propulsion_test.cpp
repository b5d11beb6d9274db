// Orders: which source moves the robot, for how long, and what stops it.
#include "motion/propulsion.hpp"

#include <gmock/gmock.h>

#include "motion/motion_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class PropulsionTest : public MotionRig {
protected:
    using MotionRig::MotionRig;
    /// Returns the maximum time for the wheels to come to rest from their present speed.
    Duration stop_time() const {
        return from_seconds(std::max(std::abs(body.driven.right), std::abs(body.driven.left)) /
                            settings.stop_deceleration) +
               settings.period;
    }
};

class StrictPropulsionTest : public PropulsionTest {
protected:
    StrictPropulsionTest() : PropulsionTest({.strict_transitions = true}) {}
};

TEST_F(PropulsionTest, DrivesWhatIsOrderedAndReportsIt) {
    hold("TURN_FW_3_1", 1s);
    EXPECT_EQ(body.driven, (WheelSpeeds{settings.level_3, settings.level_1}));
    EXPECT_EQ(report().winner, MotionSource::operator_);
    EXPECT_EQ(report().reason, MotionReason::order);
    EXPECT_EQ(report().movement, MovementClass::turn_fw);
    EXPECT_EQ(report().state, MovementState::forward);
    EXPECT_NEAR(report().measured->right, settings.level_3, 0.02);
    EXPECT_GT(report().odometry.pose.heading, 0.0);
    EXPECT_THAT(answers.front(), (MotionAnswer{1, std::nullopt}));
    EXPECT_GT(report().steps, 0U);
    EXPECT_EQ(report().watchdog_looks, report().steps) << "no other watchdog looks after it";
    EXPECT_EQ(report().watchdog_at, report().at);
}

TEST_F(PropulsionTest, StopsWhenAnOrderIsNotRenewed) {
    order("MOVE_FW_3");
    loop.advance(settings.time_to_live - 1ns);
    EXPECT_GT(body.driven.right, 0.0);
    const double before = body.driven.right;
    loop.advance(settings.period);
    EXPECT_LT(body.driven.right, before);
    EXPECT_EQ(report().reason, MotionReason::dead_man);
    loop.advance(stop_time());
    EXPECT_TRUE(at_rest());
}

TEST_F(PropulsionTest, LetsAnOrderLiveForTheTimeItAsksFor) {
    order("MOVE_FW_1", MotionSource::operator_, 1500ms);
    loop.advance(1499ms);
    EXPECT_GT(body.driven.right, 0.0);
    loop.advance(200ms);
    EXPECT_TRUE(at_rest());
    for (const Duration bad : {Duration(0), Duration(-1s), Duration(2s + 1ns)})
        order("MOVE_FW_1", MotionSource::operator_, bad);
    answers.erase(answers.begin());
    for (const MotionAnswer& answer : answers) EXPECT_EQ(answer.refusal, MotionRefusal::bad_time_to_live);
    EXPECT_EQ(answers.size(), 3U);
}

TEST_F(PropulsionTest, LetsAnOrderLiveFromWhenItWasGiven) {
    propulsion.order({.source = MotionSource::operator_,
                      .command = command("MOVE_FW_1"),
                      .time_to_live = 1500ms,
                      .id = 1,
                      .age = 1s});
    loop.advance(499ms);
    EXPECT_GT(body.driven.right, 0.0);
    loop.advance(200ms);
    EXPECT_TRUE(at_rest());
}

TEST_F(PropulsionTest, StopsUntilReleasedWhenItsSupervisorIsSilent) {
    propulsion.supervisor_alive();
    hold("MOVE_FW_3", 900ms);
    propulsion.supervisor_alive();
    hold("MOVE_FW_3", 900ms);
    EXPECT_FALSE(report().stop) << "it was silent for less than the limit";
    hold("MOVE_FW_3", 100ms + 2 * settings.period);
    EXPECT_EQ(report().stop, StopCause::main_silent);
    EXPECT_TRUE(at_rest());
    propulsion.supervisor_alive();
    hold("MOVE_FW_1", 500ms);
    EXPECT_TRUE(at_rest()) << "only a release ends it";
    propulsion.release_stop();
    hold("MOVE_FW_1", 500ms);
    EXPECT_FALSE(at_rest());
}

TEST_F(PropulsionTest, NeedsNoSupervisorThatNeverGaveASignOfLife) {
    hold("MOVE_FW_1", 5s);
    EXPECT_FALSE(report().stop);
}

TEST_F(PropulsionTest, DoesNotStopForASupervisorThatIsSilentWhileTheMotorsAreOff) {
    propulsion.supervisor_alive();
    propulsion.permit({});
    loop.advance(5s);
    EXPECT_FALSE(report().stop);
    propulsion.permit({true, {MotionSource::operator_}});
    hold("MOVE_FW_1", 500ms);
    EXPECT_FALSE(report().stop) << "a permit is a sign of life";
}

TEST_F(PropulsionTest, DoesNotCareForTheTimeOfDay) {
    order("MOVE_FW_3");
    loop.step_wall(-48h);
    loop.advance(settings.time_to_live + settings.period);
    EXPECT_EQ(report().reason, MotionReason::dead_man);
}

TEST_F(PropulsionTest, LatchesAFullStopUntilItIsReleased) {
    hold("MOVE_FW_3", 1s);
    propulsion.full_stop(StopCause::operator_);
    EXPECT_EQ(report().reason, MotionReason::stop_latched);
    EXPECT_TRUE(at_rest()) << "zero is ordered before the call returns";
    hold("MOVE_FW_1", 300ms);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(answers.back().refusal, MotionRefusal::stop_latched);
    propulsion.permit({});
    propulsion.permit({true, {MotionSource::operator_}});
    loop.advance(1s);
    EXPECT_EQ(report().stop, StopCause::operator_) << "no mode change releases it";
    propulsion.release_stop();
    loop.advance(1s);
    EXPECT_TRUE(at_rest()) << "nothing resumes by itself";
    order("MOVE_FW_1");
    loop.advance(100ms);
    EXPECT_FALSE(at_rest());
}

TEST_F(PropulsionTest, BrakesForTheEndOfTheProgramUnlessAFullStopFollows) {
    hold("MOVE_FW_3", 1s);
    propulsion.full_stop(StopCause::shutdown);
    loop.advance(settings.period);
    EXPECT_NEAR(body.driven.right,
                settings.level_3 - to_seconds(settings.period) * settings.stop_deceleration, 1e-9);
    propulsion.full_stop(StopCause::station);
    EXPECT_TRUE(at_rest());
}

class HeavyRobot : public PropulsionTest {
protected:
    HeavyRobot() : PropulsionTest({.full_stop_deceleration = 4.0}) {}
};

TEST_F(HeavyRobot, BrakesInAFullStopAtTheConfiguredDeceleration) {
    hold("MOVE_FW_3", 1s);
    propulsion.full_stop(StopCause::operator_);
    EXPECT_FALSE(at_rest());
    loop.advance(settings.period);
    EXPECT_NEAR(body.driven.right, settings.level_3 - to_seconds(settings.period) * 4.0, 1e-9);
    loop.advance(settings.full_stop_time(settings.level_3));
    EXPECT_TRUE(at_rest());
}

TEST_F(PropulsionTest, StaysStoppedWhileTheEmergencyInputSaysSo) {
    hold("MOVE_FW_2", 500ms);
    body.say("emergency", true);
    loop.advance(settings.period);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::emergency_input);
    propulsion.release_stop();
    loop.advance(100ms);
    EXPECT_EQ(report().stop, StopCause::emergency_input);
    body.say("emergency", false);
    loop.advance(100ms);
    EXPECT_TRUE(report().stop) << "it stays latched";
    propulsion.release_stop();
    loop.advance(20ms);
    EXPECT_FALSE(report().stop);
}

TEST_F(PropulsionTest, TakesASilentEmergencyInputForAStop) {
    body.say("emergency", NoReading{});
    loop.advance(20ms);
    EXPECT_EQ(report().stop, StopCause::emergency_input);
}

TEST_F(PropulsionTest, VoidsWhatCameOverALinkThatIsLost) {
    hold("MOVE_FW_2", 500ms);
    propulsion.link_lost();
    loop.advance(1s);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::no_order);
}

TEST_F(PropulsionTest, LetsTheStrongestSourceWin) {
    order("MOVE_FW_1", MotionSource::ai, 2s);
    order("MOVE_FW_2", MotionSource::autopilot, 1s);
    order("HALT", MotionSource::operator_);
    loop.advance(100ms);
    EXPECT_EQ(report().winner, MotionSource::operator_);
    EXPECT_TRUE(at_rest());
    loop.advance(500ms);
    EXPECT_EQ(report().winner, MotionSource::autopilot);
    loop.advance(600ms);
    EXPECT_EQ(report().winner, MotionSource::ai);
}

TEST_F(PropulsionTest, RefusesSourcesThatAreNotPermitted) {
    propulsion.permit({true, {MotionSource::ai}});
    order("MOVE_FW_1", MotionSource::operator_);
    order("MOVE_FW_1", MotionSource::reflex);
    propulsion.permit({false, {MotionSource::ai}});
    order("MOVE_FW_1", MotionSource::ai);
    EXPECT_THAT(answers, ElementsAre(MotionAnswer{1, MotionRefusal::not_permitted},
                                     MotionAnswer{2, MotionRefusal::not_permitted},
                                     MotionAnswer{3, MotionRefusal::motors_off}));
    loop.advance(100ms);
    EXPECT_TRUE(at_rest());
}

TEST_F(PropulsionTest, StopsAndSwitchesOffWhenThePermitIsWithdrawn) {
    hold("MOVE_FW_3", 1s);
    propulsion.permit({});
    loop.run_ready();
    EXPECT_TRUE(body.motors_on) << "to brake";
    loop.advance(stop_time());
    EXPECT_FALSE(body.motors_on);
    propulsion.permit({true, {MotionSource::operator_}});
    loop.advance(100ms);
    EXPECT_TRUE(at_rest()) << "the order from before is void";
}

TEST_F(PropulsionTest, GoesThroughHaltForAChangeThatIsNotAllowed) {
    hold("MOVE_FW_2", 500ms);
    order("SWIV_LEFT_1");
    EXPECT_EQ(report().reason, MotionReason::through_halt);
    hold("SWIV_LEFT_1", 1s);
    EXPECT_EQ(report().movement, MovementClass::swiv_left);
    EXPECT_EQ(report().reason, MotionReason::order);
}

TEST_F(StrictPropulsionTest, RefusesAChangeThatIsNotAllowed) {
    hold("MOVE_FW_2", 500ms);
    order("SWIV_LEFT_1");
    EXPECT_EQ(answers.back().refusal, MotionRefusal::illegal_transition);
    order("MOVE_BW_0");
    EXPECT_EQ(answers.back().refusal, std::nullopt) << "level 0 is HALT before any check";
    loop.advance(1s);
    order("SWIV_LEFT_1");
    EXPECT_EQ(answers.back().refusal, std::nullopt);
}

TEST_F(PropulsionTest, StepsOnAnAbsoluteGridAndAtOnceForAnOrder) {
    const auto steps = report().steps;
    loop.advance(7ms);
    order("MOVE_FW_1");
    EXPECT_EQ(report().steps, steps + 1);
    loop.advance(13ms);
    EXPECT_EQ(report().steps, steps + 2) << "the grid is where it was";
    loop.advance(1s);
    EXPECT_EQ(report().steps, steps + 52);
}

TEST_F(PropulsionTest, TakesAFewStepsAtMostBetweenTwoGridPointsForHaltsAndRepeatedStops) {
    loop.advance(1ms);
    const auto steps = report().steps;
    const int calls = body.drive_calls;
    for (int i = 0; i < 100; ++i) order("HALT");
    EXPECT_EQ(report().steps, steps + ThreadPropulsion::max_extra_steps);
    propulsion.full_stop(StopCause::operator_);
    EXPECT_EQ(report().steps, steps + ThreadPropulsion::max_extra_steps + 1) << "a stop does not wait";
    for (int i = 0; i < 100; ++i) {
        propulsion.full_stop(StopCause::operator_);
        loop.run_ready();
    }
    EXPECT_LE(body.drive_calls, calls + 11);
    loop.advance(19ms);
    EXPECT_EQ(answers.size(), 100U) << "at the next point of the grid";
    order("HALT");
    EXPECT_EQ(answers.size(), 101U);
}

TEST_F(PropulsionTest, AnswersEveryOrderOnceEvenWhenItIsStopped) {
    propulsion.stop();
    EXPECT_FALSE(body.motors_on);
    order("MOVE_FW_1");
    EXPECT_THAT(answers, ElementsAre(MotionAnswer{1, MotionRefusal::not_permitted}));
    loop.advance(1s);
    EXPECT_TRUE(at_rest());
    EXPECT_TRUE(loop.idle());
}

TEST_F(PropulsionTest, KnowsNoStateWithoutFeedback) {
    body.encoders_alive = false;
    hold("MOVE_FW_1", 500ms);
    EXPECT_EQ(report().state, MovementState::unknown);
    EXPECT_EQ(report().movement, MovementClass::move_fw);
}

}  // namespace
}  // namespace caribou::motion
