// The effect of the sensors on orders: zones, reflexes, stuck, faults.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "motion/motion_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

using MotionGates = MotionRig;

TEST_F(MotionGates, StopForSomethingInTheStopZoneAheadButLetItGoBack) {
    hold("MOVE_FW_2", 500ms);
    body.say("front", settings.stop_zone - 0.001);
    hold("MOVE_FW_2", 300ms);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::obstacle_stop);
    hold("MOVE_BW_1", 500ms);
    EXPECT_EQ(report().movement, MovementClass::move_bw);
}

TEST_F(MotionGates, StopForSomethingInTheStopZoneBehind) {
    body.say("rear", 0.01);
    hold("MOVE_BW_2", 500ms);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::obstacle_stop);
    hold("SWIV_LEFT_1", 300ms);
    EXPECT_FALSE(at_rest()) << "turning on the spot stays possible";
}

TEST_F(MotionGates, SlowDownInTheSlowZoneAndCreepAtItsEnd) {
    body.say("front", (settings.stop_zone + settings.slow_zone) / 2.0);
    hold("MOVE_FW_3", 2s);
    EXPECT_NEAR(body.driven.right, settings.level_3 / 2.0, 1e-9);
    EXPECT_EQ(report().reason, MotionReason::obstacle_slow);
    body.say("front", settings.stop_zone + 0.001);
    hold("MOVE_FW_3", 1s);
    EXPECT_NEAR(body.driven.right, settings.creep_speed, 1e-9);
}

/// Brakes so weakly, and reacts so late, that the stopping distance exceeds the slow zone.
class WeakBrakes : public MotionRig {
protected:
    WeakBrakes() : MotionRig({.stop_deceleration = 0.5, .slow_zone = 0.12}) {}
};

TEST_F(WeakBrakes, AreDrivenNoFasterThanTheyStopBeforeTheStopZone) {
    const double beyond = 0.03;
    body.say("front", settings.stop_zone + beyond);
    hold("MOVE_FW_3", 2s);
    EXPECT_NEAR(body.driven.right, std::sqrt(2.0 * settings.stop_deceleration * beyond), 1e-9);
    EXPECT_LT(body.driven.right, settings.level_3 * beyond / (settings.slow_zone - settings.stop_zone));
}

TEST_F(MotionGates, KeepTheCurveWhenTheySlowDown) {
    body.say("front", 0.2);
    hold("TURN_FW_3_1", 2s);
    EXPECT_NEAR(body.driven.right / body.driven.left, settings.level_3 / settings.level_1, 1e-9);
}

/// Returns a scan with one beam straight ahead.
SensorReading scan_of(double distance) {
    return std::make_shared<const LidarScan>(LidarScan{0.0, 6.3, {static_cast<float>(distance)}});
}

TEST_F(MotionGates, CreepWhereAScanHasShownSomethingThatTheNextDoesNot) {
    body.say("lidar", scan_of(0.15 + settings.stop_zone / 2.0));
    hold("MOVE_FW_3", 300ms);
    EXPECT_EQ(report().reason, MotionReason::obstacle_stop);
    body.say("lidar", scan_of(BodyRig::far));
    hold("MOVE_FW_3", 500ms);
    EXPECT_NEAR(body.driven.right, settings.creep_speed, 1e-9);
    EXPECT_EQ(report().reason, MotionReason::obstacle_slow);
}

TEST_F(MotionGates, KnowOfWhatAScanHasShownAsideWhenTheRobotHasTurnedThere) {
    const double quarter = std::numbers::pi / 2.0;
    body.say("lidar", std::make_shared<const LidarScan>(LidarScan{quarter, 6.3, {0.2f}}));
    while (report().odometry.pose.heading < quarter) hold("SWIV_LEFT_1", 100ms);
    body.say("lidar", NoReading{});
    hold("MOVE_FW_3", 500ms);
    EXPECT_EQ(report().reason, MotionReason::obstacle_slow);
    EXPECT_NEAR(body.driven.right, settings.creep_speed, 1e-9);
}

TEST_F(MotionGates, ForgetWhatNoScanHasShownForSeconds) {
    body.say("lidar", scan_of(0.15 + settings.stop_zone / 2.0));
    loop.advance(100ms);
    body.say("lidar", scan_of(BodyRig::far));
    loop.advance(ObstacleMemory::lasts);
    body.say("lidar", scan_of(BodyRig::far));
    hold("MOVE_FW_3", 1s);
    EXPECT_EQ(report().reason, MotionReason::order);
}

TEST_F(MotionGates, CreepBackwardsWhenNothingLooksThere) {
    body.say("rear", NoReading{});
    hold("MOVE_BW_3", 1s);
    EXPECT_NEAR(body.driven.right, -settings.creep_speed, 1e-9);
    EXPECT_EQ(report().reason, MotionReason::blind);
}

TEST_F(MotionGates, DriveNoFasterThanLevelOneWhileTheLidarIsSilent) {
    hold("MOVE_FW_3", 1s);
    EXPECT_NEAR(body.driven.right, settings.level_3, 1e-9);
    body.say("lidar", NoReading{});
    hold("MOVE_FW_3", 500ms);
    EXPECT_NEAR(body.driven.right, settings.level_1, 1e-9);
    EXPECT_EQ(report().reason, MotionReason::blind);
    hold("MOVE_BW_2", 1s);
    EXPECT_NEAR(body.driven.right, -settings.level_1, 1e-9);
    hold("MOVE_BW_1", 500ms);
    EXPECT_EQ(report().reason, MotionReason::order);
    body.say("lidar", scan_of(BodyRig::far));
    hold("MOVE_FW_3", 2s);
    EXPECT_NEAR(body.driven.right, settings.level_3, 1e-9);
}

TEST_F(MotionGates, LetAnOrderForTouchingCreepUpToThings) {
    body.say("front", 0.01);
    const auto creep = [&] {
        propulsion.order({MotionSource::ai, command("MOVE_FW_2"), 1s, true});
        loop.advance(500ms);
    };
    creep();
    EXPECT_NEAR(body.driven.right, settings.creep_speed, 1e-9);
    body.say("bumper_front", true);
    creep();
    EXPECT_TRUE(at_rest()) << "it has touched: neither further nor back";
}

TEST_F(MotionGates, BackOffAfterABumpAndDoNotGoThereAgain) {
    hold("MOVE_FW_2", 1s);
    body.say("bumper_front", true);
    loop.advance(20ms);
    EXPECT_EQ(report().winner, MotionSource::reflex);
    EXPECT_EQ(report().reason, MotionReason::bump);
    hold("MOVE_FW_2", 400ms);
    EXPECT_EQ(report().movement, MovementClass::move_bw);
    body.say("bumper_front", false);
    hold("MOVE_FW_2", 1s);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::held);
    hold("SWIV_LEFT_1", 500ms);
    hold("MOVE_FW_1", 500ms);
    EXPECT_EQ(report().movement, MovementClass::move_fw) << "it wanted something else in between";
}

TEST_F(MotionGates, BackOffFromACliffInBothDirections) {
    hold("MOVE_FW_1", 500ms);
    body.say("cliff_front", true);
    hold("MOVE_FW_1", 400ms);
    EXPECT_EQ(report().reason, MotionReason::cliff);
    EXPECT_EQ(report().movement, MovementClass::move_bw);
    body.say("cliff_front", false);
    hold("MOVE_BW_1", 1500ms);
    body.say("cliff_rear", true);
    hold("MOVE_BW_1", 400ms);
    EXPECT_EQ(report().movement, MovementClass::move_fw);
}

TEST_F(MotionGates, BrakeHardAtACliffWhateverIsOrdered) {
    const Duration braking = from_seconds(settings.level_3 / settings.stop_deceleration);
    for (const char* order : {"MOVE_FW_3", "HALT", "MOVE_BW_3"}) {
        hold("MOVE_FW_3", 2s);
        ASSERT_EQ(report().driven.right, settings.level_3);
        body.say("cliff_front", true);
        hold(order, braking + 2 * settings.period);
        EXPECT_LE(report().driven.right, 0) << order;
        body.say("cliff_front", false);
        hold("MOVE_BW_1", 2s);
        hold("HALT", 1s);
    }
}

TEST_F(MotionGates, LeaveABumpAloneWhenNoOrderLives) {
    hold("MOVE_FW_3", 1s);
    loop.advance(settings.time_to_live);
    body.say("bumper_front", true);
    loop.advance(20ms);
    EXPECT_NE(report().winner, MotionSource::reflex) << "no order lives";
    loop.advance(1s);
    EXPECT_TRUE(at_rest());
}

TEST_F(MotionGates, EndTheReflexWhereItIsNotSafeEither) {
    hold("MOVE_FW_2", 1s);
    body.say("bumper_front", true);
    hold("MOVE_FW_2", 400ms);
    body.say("cliff_rear", true);
    hold("MOVE_FW_2", 300ms);
    EXPECT_TRUE(at_rest());
}

TEST_F(MotionGates, MoveNothingThatIsLifted) {
    body.say("cliff_front", true);
    body.say("cliff_rear", true);
    hold("SWIV_LEFT_2", 500ms);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::cliff);
}

TEST_F(MotionGates, StopAndReportWhatIsDrivenButDoesNotMove) {
    body.wheels_blocked = true;
    hold("MOVE_FW_2", 1900ms);
    EXPECT_FALSE(report().stuck);
    hold("MOVE_FW_2", 600ms);
    EXPECT_TRUE(report().stuck);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::held);
    body.wheels_blocked = false;
    hold("MOVE_BW_1", 500ms);
    EXPECT_FALSE(report().stuck) << "another way is a way out";
    EXPECT_EQ(report().movement, MovementClass::move_bw);
    EXPECT_TRUE(report().faults.empty());
}

TEST_F(MotionGates, TakeATurnThatTheGyroscopeDoesNotSeeForStuck) {
    body.say("imu", ImuReading{});
    hold("SWIV_LEFT_2", 3s);
    EXPECT_TRUE(report().stuck);
}

TEST_F(MotionGates, FindAWheelThatTurnsOtherwiseThanDriven) {
    body.right_factor = -1.0;
    hold("MOVE_FW_2", 2s);
    EXPECT_TRUE(report().faults.contains(MotionFault::encoder_disagreement));
    EXPECT_FALSE(body.motors_on);
    order("MOVE_FW_1");
    EXPECT_EQ(answers.back().refusal, MotionRefusal::faulted);
}

TEST_F(MotionGates, FindAnEncoderThatTheGyroscopeDenies) {
    body.say("imu", ImuReading{});
    body.right_factor = 0.0;
    hold("MOVE_FW_2", 1500ms);
    EXPECT_TRUE(report().faults.contains(MotionFault::encoder_disagreement));
}

TEST_F(MotionGates, CutTheMotorsWhenTheirDriverComplains) {
    hold("MOVE_FW_3", 1s);
    body.complaint = "over-current";
    loop.advance(20ms);
    EXPECT_TRUE(at_rest());
    EXPECT_FALSE(body.motors_on);
    EXPECT_TRUE(report().faults.contains(MotionFault::motor_driver));
    body.complaint.clear();
    loop.advance(1s);
    EXPECT_EQ(report().reason, MotionReason::fault) << "it stays";
}

TEST_F(MotionGates, StandStillWhileTheBodyIsAbsentAndDriveAgainAfterwards) {
    hold("MOVE_FW_3", 1s);
    body.cut_motors().value();
    body.away = "driver base: the driver closed the connection";
    for (const std::string name : {"front", "bumper_front", "cliff_front"}) body.say(name, NoReading{});
    hold("MOVE_FW_3", 3s);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::body_absent);
    EXPECT_EQ(report().driven, WheelSpeeds{});
    EXPECT_TRUE(report().faults.empty()) << "it may come back";
    EXPECT_EQ(answers.back().refusal, MotionRefusal::body_absent);
    body.away.clear();
    body.say("front", BodyRig::far);
    for (const std::string name : {"bumper_front", "cliff_front"}) body.say(name, false);
    hold("MOVE_FW_3", 1s);
    EXPECT_EQ(report().reason, MotionReason::order);
    EXPECT_EQ(body.driven.right, settings.level_3);
}

TEST_F(MotionGates, TakeMotorsThatCannotBeEnabledForAFault) {
    propulsion.permit({});
    loop.advance(20ms);
    body.refuses_motors = true;
    propulsion.permit({true, {MotionSource::ai}});
    loop.advance(40ms);
    EXPECT_TRUE(report().faults.contains(MotionFault::motor_driver));
}

TEST_F(MotionGates, StopAtOnceWithoutARequiredSensorAndGiveUpAfterASecond) {
    hold("MOVE_FW_2", 1s);
    body.say("front", NoReading{});
    hold("MOVE_FW_2", 300ms);
    EXPECT_TRUE(at_rest());
    EXPECT_TRUE(report().faults.empty());
    hold("MOVE_FW_2", 800ms);
    EXPECT_TRUE(report().faults.contains(MotionFault::sensor_dead));
}

TEST_F(MotionGates, MissNoSensorWhileTheMotorsAreOff) {
    propulsion.permit({});
    body.say("front", NoReading{});
    loop.advance(1min);
    EXPECT_TRUE(report().faults.empty());
}

TEST_F(MotionGates, CountAStallOfTheLoopAsAFault) {
    hold("MOVE_FW_2", 1s);
    loop.post([this] { loop.take_time(settings.stall_after + 25ms); });
    loop.advance(300ms);
    EXPECT_TRUE(report().faults.contains(MotionFault::missed_deadlines));
    EXPECT_FALSE(body.motors_on);
}

TEST_F(MotionGates, OrderRestWhileTheGuardHasCutTheBody) {
    hold("MOVE_FW_2", 1s);
    ASSERT_FALSE(at_rest());
    propulsion.set_guard_cut(true);
    loop.run_ready();
    EXPECT_EQ(report().reason, MotionReason::guard_cut) << "at once";
    hold("MOVE_FW_2", 1s);
    EXPECT_TRUE(at_rest());
    EXPECT_EQ(report().reason, MotionReason::guard_cut);
    EXPECT_TRUE(report().faults.empty()) << "it may pass";
    EXPECT_EQ(answers.back().refusal, MotionRefusal::guard_cut);
    propulsion.set_guard_cut(false);
    loop.advance(50ms);
    hold("MOVE_FW_2", 500ms);
    EXPECT_FALSE(at_rest());
}

TEST_F(MotionGates, BackOffFromNoBumpWhileTheGuardHasCutTheBody) {
    hold("MOVE_FW_2", 1s);
    propulsion.set_guard_cut(true);
    loop.advance(50ms);
    body.say("bumper_front", true);
    loop.advance(50ms);
    body.say("bumper_front", false);
    propulsion.set_guard_cut(false);
    loop.advance(50ms);
    hold("MOVE_FW_2", 300ms);
    EXPECT_GT(body.driven.right, 0.0);
    EXPECT_FALSE(has(MotionReason::held));
}

TEST_F(MotionGates, DropTheOrdersOfTheTimeBeforeAGuardCut) {
    order("MOVE_FW_2", MotionSource::operator_, 2s);
    loop.advance(100ms);
    propulsion.set_guard_cut(true);
    propulsion.set_guard_cut(false);
    loop.advance(1s);
    EXPECT_TRUE(at_rest());
}

TEST_F(MotionGates, StopForGoodWhenTheGuardIsSilent) {
    hold("MOVE_FW_2", 1s);
    propulsion.raise(MotionFault::guard_silent);
    loop.advance(1s);
    EXPECT_TRUE(at_rest());
    EXPECT_FALSE(body.motors_on);
    EXPECT_EQ(report().faults, MotionFaults{MotionFault::guard_silent});
    order("MOVE_FW_2");
    EXPECT_EQ(answers.back().refusal, MotionRefusal::faulted);
}

TEST_F(MotionGates, NoticeThatTheWatchdogHasCutTheMotors) {
    hold("MOVE_FW_2", 1s);
    ASSERT_TRUE(body.cut_motors());
    loop.advance(20ms);
    EXPECT_TRUE(report().faults.contains(MotionFault::missed_deadlines));
    EXPECT_EQ(report().driven, WheelSpeeds{});
}

TEST_F(MotionGates, ForgiveOneLateStepButNotTenInARow) {
    loop.post([this] { loop.take_time(70ms); });
    loop.advance(1s);
    EXPECT_EQ(report().late_steps, 1U);
    EXPECT_TRUE(report().faults.empty());
    for (int i = 0; i < 12; ++i) {
        loop.post([this] { loop.take_time(55ms); });
        loop.advance(55ms);
    }
    EXPECT_TRUE(report().faults.contains(MotionFault::missed_deadlines));
}

TEST_F(MotionGates, FollowTheBatteryWithHysteresis) {
    const auto at = [&](double level) {
        body.say("battery", BatteryReading{.level = level});
        loop.advance(20ms);
        return report().battery;
    };
    EXPECT_EQ(at(0.8), BatteryState::good);
    EXPECT_EQ(at(0.30), BatteryState::warn);
    EXPECT_EQ(at(0.32), BatteryState::warn);
    EXPECT_EQ(at(0.34), BatteryState::good);
    EXPECT_EQ(at(0.20), BatteryState::dock);
    EXPECT_EQ(at(0.22), BatteryState::dock);
    EXPECT_EQ(at(0.24), BatteryState::warn);
    EXPECT_TRUE(report().faults.empty());
    EXPECT_EQ(at(0.05), BatteryState::critical);
    EXPECT_TRUE(report().faults.contains(MotionFault::battery_critical));
    body.say("battery", NoReading{});
    loop.advance(20ms);
    EXPECT_EQ(report().battery, BatteryState::critical) << "silence is no charge";
}

}  // namespace
}  // namespace caribou::motion
