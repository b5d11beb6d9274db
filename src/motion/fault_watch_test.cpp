#include "motion/fault_watch.hpp"

#include <gtest/gtest.h>

#include "motion/wheel_feedback.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

class FaultWatchTest : public testing::Test {
protected:
    /// Runs steps every 20 ms for `time`.
    void run(Duration time) {
        for (const Instant end = evidence.now + time; evidence.now < end;) {
            evidence.now += settings.period;
            watch.step(senses, evidence);
        }
    }
    bool has(MotionFault fault) const { return watch.faults().contains(fault); }
    void drive(WheelSpeeds driven, WheelSpeeds measured) {
        evidence.driven = driven;
        evidence.measured = measured;
    }

    BodyPlan plan{};
    MotionSettings settings{};
    FaultWatch watch{plan, settings};
    Senses senses{Clearance{plan.radius, 0.03}};
    FaultWatch::Evidence evidence{.motors_on = true};
};

TEST_F(FaultWatchTest, FindsNothingOnAHealthyBody) {
    drive({0.3, 0.2}, {0.3, 0.2});
    senses.yaw_rate = 0.1 / plan.wheel_base;
    run(1min);
    EXPECT_TRUE(watch.faults().empty());
    EXPECT_FALSE(watch.stuck());
    EXPECT_EQ(watch.late_steps(), 0U);
}

TEST_F(FaultWatchTest, BelievesTheDriverAndTheBatteryAtOnce) {
    evidence.driver_complains = true;
    run(20ms);
    EXPECT_TRUE(has(MotionFault::motor_driver));
    EXPECT_FALSE(has(MotionFault::battery_critical));
    evidence.battery = BatteryState::critical;
    run(20ms);
    EXPECT_TRUE(has(MotionFault::battery_critical));
}

TEST_F(FaultWatchTest, KeepsWhatItFound) {
    evidence.driver_complains = true;
    run(20ms);
    evidence.driver_complains = false;
    run(1min);
    EXPECT_TRUE(has(MotionFault::motor_driver));
}

TEST_F(FaultWatchTest, WaitsBeforeASensorCountsAsDead) {
    senses.missing = "front";
    run(settings.sensor_dead_after);
    EXPECT_FALSE(has(MotionFault::sensor_dead));
    run(20ms);
    EXPECT_TRUE(has(MotionFault::sensor_dead));
}

TEST_F(FaultWatchTest, LetsSensorsSleepWhileTheMotorsAreOff) {
    evidence.motors_on = false;
    senses.missing = "front";
    run(1min);
    EXPECT_TRUE(watch.faults().empty());
}

TEST_F(FaultWatchTest, CountsStepsThatAreMoreThanOnePeriodLate) {
    run(20ms);
    evidence.now += settings.period;  // with the next step: two periods
    run(20ms);
    EXPECT_EQ(watch.late_steps(), 0U);
    evidence.now += settings.period + 1ms;
    run(20ms);
    EXPECT_EQ(watch.late_steps(), 1U);
}

TEST_F(FaultWatchTest, CallsTenLateStepsInARowAFault) {
    run(20ms);
    for (int i = 0; i < 9; ++i) {
        evidence.now += 2 * settings.period;
        run(20ms);
    }
    EXPECT_FALSE(has(MotionFault::missed_deadlines));
    run(20ms);  // in time: the row is broken
    for (int i = 0; i < 9; ++i) {
        evidence.now += 2 * settings.period;
        run(20ms);
    }
    EXPECT_FALSE(has(MotionFault::missed_deadlines));
    evidence.now += 2 * settings.period;
    run(20ms);
    EXPECT_TRUE(has(MotionFault::missed_deadlines));
    EXPECT_EQ(watch.late_steps(), 19U);
}

TEST_F(FaultWatchTest, CallsOneLongStallAFault) {
    run(20ms);
    evidence.now += settings.stall_after - settings.period;
    run(20ms);
    EXPECT_FALSE(has(MotionFault::missed_deadlines)) << "exactly the limit";
    evidence.now += settings.stall_after - settings.period + 1ms;
    run(20ms);
    EXPECT_TRUE(has(MotionFault::missed_deadlines));
}

TEST_F(FaultWatchTest, MissesNoDeadlineWhileTheMotorsAreOff) {
    evidence.motors_on = false;
    evidence.motors_were_cut = true;
    run(20ms);
    evidence.now += 10s;
    run(20ms);
    EXPECT_TRUE(watch.faults().empty());
    evidence.motors_on = true;
    run(20ms);
    EXPECT_TRUE(has(MotionFault::missed_deadlines)) << "cut by the watchdog";
}

struct Wheels {
    WheelSpeeds driven;
    WheelSpeeds measured;
    bool contradicts;
};

TEST_F(FaultWatchTest, CallsAWheelThatTurnsOtherwiseThanDrivenAContradiction) {
    const double still = WheelFeedback::still_speed;
    for (const auto& [driven, measured, contradicts] : std::vector<Wheels>{
             {{0.2, 0.2}, {0.04, 0.2}, true},           // more than 0.15 m/s too slow
             {{0.2, 0.2}, {0.06, 0.2}, false},          // within 0.15 m/s
             {{0.2, 0.2}, {0.2, 0.04}, true},           // the left one
             {{0.2, 0.2}, {0.36, 0.2}, true},           // too fast
             {{0.4, 0.4}, {0.4, 0.61}, true},           // more than half of the order
             {{0.4, 0.4}, {0.4, 0.59}, false},          // less than half of it
             {{-0.4, -0.4}, {-0.4, -0.61}, true},       // backward as well
             {{-0.4, -0.4}, {-0.4, -0.59}, false},      //
             {{0.2, 0.2}, {-0.05, 0.2}, true},          // the wrong way
             {{0.2, 0.2}, {still, 0.2}, false},         // not turning: blocked, not contradicted
             {{0.2, 0.2}, {still + 0.001, 0.2}, true},  // just turning
             {{0.0, 0.0}, {0.5, 0.5}, true},            // turns although it is not driven
             {{0.2, 0.0}, {0.2, 0.5}, true},            // one wheel is driven
         }) {
        FaultWatch fresh{plan, settings};
        FaultWatch::Evidence turn{.motors_on = true, .driven = driven, .measured = measured};
        for (Duration time{}; time < settings.disagreement_after; time += 20ms, turn.now += 20ms)
            fresh.step(senses, turn);
        EXPECT_TRUE(fresh.faults().empty()) << "not before its time";
        fresh.step(senses, turn);
        EXPECT_EQ(fresh.faults().contains(MotionFault::encoder_disagreement), contradicts)
            << driven.right << ' ' << driven.left << " measured " << measured.right << ' ' << measured.left;
    }
}

TEST_F(FaultWatchTest, CallsAWheelThatTurnsOnAfterAHaltAContradiction) {
    for (const WheelSpeeds measured : {WheelSpeeds{0.12, 0.12}, {0.0, 0.12}, {-0.3, 0.0}}) {
        FaultWatch fresh{plan, settings};
        FaultWatch::Evidence turn{.motors_on = true, .driven = measured, .measured = measured};
        const auto step = [&] {
            turn.now += 20ms;
            fresh.step(senses, turn);
        };
        for (int i = 0; i < 100; ++i) step();
        turn.driven = {};
        turn.motors_on = false;  // a full stop switches the motors off
        for (Duration time{}; time < settings.disagreement_after; time += 20ms) step();
        EXPECT_TRUE(fresh.faults().empty()) << "not before its time";
        step();
        EXPECT_TRUE(fresh.faults().contains(MotionFault::encoder_disagreement));
    }
}

TEST_F(FaultWatchTest, LetsARobotBePushedThatHasComeToRestWhileItsMotorsAreOff) {
    drive({0.2, 0.2}, {0.2, 0.2});
    run(2s);
    drive({}, {0.15, 0.15});
    run(500ms);
    drive({}, {0.01, 0.0});
    run(100ms);
    evidence.motors_on = false;
    drive({}, {0.5, 0.5});
    run(1min);
    EXPECT_TRUE(watch.faults().empty());
}

TEST_F(FaultWatchTest, CallsAWheelThatCreepsOnAfterAHaltAContradiction) {
    for (const bool motors_on : {true, false}) {
        watch = FaultWatch(plan, settings);
        evidence.motors_on = true;
        drive({0.3, 0.3}, {0.3, 0.3});
        run(2s);
        evidence.motors_on = motors_on;
        drive({}, {0.011, -0.04});
        run(2s);
        EXPECT_TRUE(watch.faults().empty()) << "it may come to rest";
        run(20ms);
        EXPECT_TRUE(has(MotionFault::encoder_disagreement)) << motors_on;
    }
}

TEST_F(FaultWatchTest, CallsAWheelThatStartsToTurnFromRestAContradiction) {
    for (const WheelSpeeds& measured :
         {WheelSpeeds{0.5, 0.5}, WheelSpeeds{-0.5, 0.0}, WheelSpeeds{0.0, 0.06}}) {
        watch = FaultWatch(plan, settings);
        drive({}, {});
        run(10s);
        drive({}, measured);
        run(settings.disagreement_after);
        EXPECT_TRUE(watch.faults().empty()) << "it may have been touched";
        run(40ms);
        EXPECT_TRUE(has(MotionFault::encoder_disagreement)) << measured.right << ' ' << measured.left;
    }
    watch = FaultWatch(plan, settings);
    for (int i = 0; i < 100; ++i) {
        drive({}, {0.5, 0.5});
        run(500ms);
        drive({}, {0.01, 0.0});
        run(20ms);
    }
    EXPECT_TRUE(watch.faults().empty()) << "each touch is shorter than the limit";
}

TEST_F(FaultWatchTest, CannotContradictWithoutEncoders) {
    evidence.driven = {0.2, 0.2};
    run(1min);
    EXPECT_TRUE(watch.faults().empty());
}

struct Gyroscope {
    WheelSpeeds driven;
    WheelSpeeds measured;
    double yaw_rate;
    bool contradicts;
};

TEST_F(FaultWatchTest, BelievesAGyroscopeThatConfirmsWhatWasDriven) {
    const double base = plan.wheel_base;
    for (const auto& [driven, measured, yaw_rate, contradicts] : std::vector<Gyroscope>{
             {{0.2, 0.2}, {0.33, 0.2}, 0.0, true},             // 0.54 rad/s, contradicted by the gyroscope
             {{0.2, 0.2}, {0.31, 0.2}, 0.0, false},            // 0.46 rad/s
             {{0.2, 0.2}, {0.2, 0.33}, 0.0, true},             // to the other side
             {{0.2, 0.2}, {0.34, 0.06}, 0.24, true},           // confirmed: less than 0.25 off
             {{0.2, 0.2}, {0.34, 0.06}, 0.26, false},          // neither is confirmed
             {{0.2, 0.2}, {0.33, 0.2}, 0.13 / base, false},    // the encoders are confirmed
             {{0.26, 0.12}, {0.13, 0.13}, 0.14 / base, true},  // an encoder misses the turn
         }) {
        FaultWatch fresh{plan, settings};
        Senses turning{Clearance{plan.radius, 0.03}};
        turning.yaw_rate = yaw_rate;
        FaultWatch::Evidence turn{.motors_on = true, .driven = driven, .measured = measured};
        for (int i = 0; i < 60; ++i, turn.now += 20ms) fresh.step(turning, turn);
        EXPECT_EQ(fresh.faults().contains(MotionFault::encoder_disagreement), contradicts)
            << driven.right << ' ' << driven.left << " measured " << measured.right << ' ' << measured.left
            << " yaw " << yaw_rate;
    }
}

TEST_F(FaultWatchTest, IsStuckOnceADrivenWheelStandsStillForTooLong) {
    const double still = WheelFeedback::still_speed;
    for (const auto& [driven, measured, stuck] : std::vector<Wheels>{
             {{0.2, 0.2}, {0.0, 0.2}, true},
             {{0.2, 0.2}, {0.2, 0.0}, true},
             {{-0.2, -0.2}, {-0.2, 0.0}, true},
             {{0.2, 0.2}, {0.2, still}, false},        // just turning
             {{0.2, 0.2}, {-still, 0.2}, false},       // just turning, backward
             {{0.2, 2.0 * still}, {0.2, 0.0}, false},  // too slow to decide
             {{0.2, 2.1 * still}, {0.2, 0.0}, true},   //
             {{0.0, 0.2}, {0.0, 0.2}, false},          // not driven
             {{0.0, 0.0}, {0.0, 0.0}, false},          //
         }) {
        FaultWatch fresh{plan, settings};
        FaultWatch::Evidence turn{.motors_on = true, .driven = driven, .measured = measured};
        for (Duration time{}; time < settings.stuck_after; time += 20ms, turn.now += 20ms)
            fresh.step(senses, turn);
        EXPECT_FALSE(fresh.stuck()) << "not before its time";
        fresh.step(senses, turn);
        EXPECT_EQ(fresh.stuck(), stuck)
            << driven.right << ' ' << driven.left << " measured " << measured.right << ' ' << measured.left;
    }
}

TEST_F(FaultWatchTest, IsStuckIfTheGyroscopeSeesNoneOfTheTurn) {
    // 0.2 / 0.24 = 0.83 rad/s are ordered; without encoders the gyroscope decides.
    evidence.driven = {0.1, -0.1};
    senses.yaw_rate = 0.09;
    run(3s);
    EXPECT_FALSE(watch.stuck());
    senses.yaw_rate = -0.08;
    run(3s);
    EXPECT_TRUE(watch.stuck());
    senses.yaw_rate = std::nullopt;
    run(20ms);
    EXPECT_FALSE(watch.stuck()) << "it does not stay";
    evidence.driven = {0.06, -0.06};  // 0.5 rad/s: too slow to decide
    senses.yaw_rate = 0.0;
    run(3s);
    EXPECT_FALSE(watch.stuck());
}

}  // namespace
}  // namespace caribou::motion
