// Wheels that turn as ordered although the motors do not.
#include "motion/wheel_control.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "motion/motion_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

/// A robot whose motors are weak, need a push to start, and take their time.
class WeakMotors : public MotionRig {
protected:
    explicit WeakMotors(const MotionSettings& wanted = {.closed_loop = true}) : MotionRig(wanted) {
        body.motor_gain = 0.8;
        body.motor_start = 0.03;
        body.motor_delay = 0.08;
    }
    /// Returns the speeds of the wheels over the next second.
    WheelSpeeds speeds(Velocity velocity) {
        const WheelSpeeds before{body.rolled_right(), body.rolled_left()};
        hold(velocity, 1s);
        return {body.rolled_right() - before.right, body.rolled_left() - before.left};
    }
};

TEST_F(WeakMotors, TurnTheWheelsAsFastAsOrdered) {
    for (const Velocity velocity : {Velocity{0.3, 0.0}, {0.15, 0.6}, {-0.2, 0.3}, {0.0, 1.5}, {0.08, 0.0}}) {
        hold(velocity, 2s);
        const auto [right, left] = speeds(velocity);
        const WheelSpeeds wanted = MotionCommand(velocity).speeds(settings, body.plan().wheel_base);
        EXPECT_NEAR(right, wanted.right, 0.01) << velocity.forward << " " << velocity.turn;
        EXPECT_NEAR(left, wanted.left, 0.01) << velocity.forward << " " << velocity.turn;
        EXPECT_EQ(report().driven, wanted);
    }
}

TEST_F(WeakMotors, DoNotOvershootMuch) {
    double fastest = 0;
    for (int i = 0; i < 150; ++i) {
        hold(Velocity{0.3, 0.0}, 20ms);
        if (report().measured) fastest = std::max(fastest, report().measured->right);
    }
    EXPECT_GT(fastest, 0.29);
    EXPECT_LT(fastest, 0.33);
}

TEST_F(WeakMotors, AreOrderedZeroAtOnceInAFullStop) {
    hold(Velocity{0.3, 1.0}, 2s);
    propulsion.full_stop(StopCause::operator_);
    EXPECT_EQ(body.driven, WheelSpeeds{});
    hold(Velocity{0.3, 1.0}, 1s);
    EXPECT_EQ(body.driven, WheelSpeeds{});
}

TEST_F(WeakMotors, ComeToRestWhenTheOrderEnds) {
    hold("MOVE_FW_3", 2s);
    loop.advance(settings.time_to_live + settings.braking_time() + 3 * settings.period);
    EXPECT_EQ(body.driven, WheelSpeeds{});
}

class OpenLoop : public WeakMotors {
protected:
    OpenLoop() : WeakMotors(MotionSettings{}) {}
};

TEST_F(OpenLoop, TurnsThemSlower) {
    hold(Velocity{0.3, 0.0}, 2s);
    EXPECT_EQ(body.driven, (WheelSpeeds{0.3, 0.3}));
    EXPECT_NEAR(speeds(Velocity{0.3, 0.0}).right, 0.8 * 0.27, 0.01);
}

class CalibratedMotors : public WeakMotors {
protected:
    CalibratedMotors()
        : WeakMotors({.closed_loop = true,
                      .wheel_gain_right = 1.25,
                      .wheel_gain_left = 1.25,
                      .wheel_start_right = 0.03,
                      .wheel_start_left = 0.03}) {}
};

TEST_F(CalibratedMotors, AreAsFastAsOrderedFromTheStartAlsoWithoutEncoders) {
    body.encoders_alive = false;
    hold(Velocity{0.3, 0.0}, 1s);
    EXPECT_NEAR(body.driven.right, 1.25 * 0.3 + 0.03, 0.02);
    EXPECT_NEAR(speeds(Velocity{0.3, 0.0}).right, 0.3, 0.01);
}

/// Whatever is wanted and measured.
TEST(WheelControl, NeverOrdersAWheelThatIsToRestOrToTurnTheOtherWay) {
    Random random(3);
    const auto within = [&](double most) { return most * (2.0 * random.unit() - 1.0); };
    for (int life = 0; life < 200; ++life) {
        const MotionSettings settings{.closed_loop = true,
                                      .wheel_p = 5 * random.unit(),
                                      .wheel_i = 20 * random.unit(),
                                      .wheel_d = 0.5 * random.unit()};
        WheelControl control(settings, 0.6);
        Instant now{};
        for (int i = 0; i < 500; ++i) {
            now += std::chrono::milliseconds(random.between(0, 60));
            const WheelSpeeds wanted{random.chance(0.2) ? 0.0 : within(0.45), random.chance(0.2) ? 0.0 : 0.2};
            const auto measured =
                random.chance(0.1) ? std::nullopt : std::optional(WheelSpeeds{within(2), within(2)});
            const WheelSpeeds ordered = control.step(wanted, measured, now);
            for (const auto wheel : {&WheelSpeeds::right, &WheelSpeeds::left}) {
                ASSERT_GE(ordered.*wheel * (wanted.*wheel), 0.0);
                ASSERT_TRUE(wanted.*wheel != 0.0 || ordered.*wheel == 0.0);
                ASSERT_LE(std::abs(ordered.*wheel),
                          std::min(0.6, 1.5 * std::abs(wanted.*wheel) + 0.03 + 1e-9));
            }
        }
    }
}

TEST(WheelControl, PassesSpeedsOnUnlessItIsSwitchedOn) {
    WheelControl control(MotionSettings{.wheel_gain_right = 2.0}, 0.6);
    EXPECT_EQ(control.step({0.3, -0.2}, WheelSpeeds{}, Instant{}), (WheelSpeeds{0.3, -0.2}));
}

}  // namespace
}  // namespace caribou::motion
