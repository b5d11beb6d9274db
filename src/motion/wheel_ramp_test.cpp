#include "motion/wheel_ramp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

class WheelRampTest : public testing::Test {
protected:
    void run(WheelSpeeds wanted, Duration time, Braking braking = Braking::ordered) {
        for (const Instant end = now + time; now < end;) {
            now += 20ms;
            ramp.step({wanted, braking}, now);
            if (classes.empty() || classes.back() != ramp.movement()) classes.push_back(ramp.movement());
        }
    }

    MotionSettings settings{};
    WheelRamp ramp{settings};
    Instant now{};
    std::vector<MovementClass> classes;
};

TEST_F(WheelRampTest, GainsSpeedWithinTheAcceleration) {
    run({0.3, 0.3}, 200ms);
    EXPECT_NEAR(ramp.speeds().right, 0.2 * settings.acceleration, 1e-12);
    run({0.3, 0.3}, 1s);
    EXPECT_EQ(ramp.speeds(), (WheelSpeeds{0.3, 0.3}));
}

TEST_F(WheelRampTest, BrakesHarderInAStop) {
    run({0.4, 0.4}, 1s);
    run({}, 100ms);
    EXPECT_NEAR(ramp.speeds().right, 0.4 - 0.1 * settings.deceleration, 1e-12);
    run({}, 100ms, Braking::stop);
    EXPECT_NEAR(ramp.speeds().right, 0.4 - 0.1 * settings.deceleration - 0.1 * settings.stop_deceleration,
                1e-12);
}

TEST_F(WheelRampTest, OrdersZeroInTheFirstStepOfAFullStop) {
    run({0.4, 0.1}, 1s);
    run({}, 20ms, Braking::full_stop);
    EXPECT_TRUE(ramp.at_rest());
}

TEST(WheelRamp, BrakesAFullStopAtItsOwnDecelerationIfItHasOne) {
    const MotionSettings settings{.full_stop_deceleration = 5.0};
    WheelRamp ramp(settings);
    for (int step = 1; step <= 50; ++step) ramp.step({{0.4, 0.4}}, Instant(step * 20ms));
    ramp.step({{}, Braking::full_stop}, Instant(1020ms));
    EXPECT_NEAR(ramp.speeds().right, 0.4 - 0.02 * 5.0, 1e-12);
}

TEST_F(WheelRampTest, KeepsTheCurveWhileItGainsSpeed) {
    run({0.3, 0.1}, 100ms);
    EXPECT_NEAR(ramp.speeds().right, 3.0 * ramp.speeds().left, 1e-12);
    EXPECT_EQ(classes, (std::vector{MovementClass::turn_fw}));
}

TEST_F(WheelRampTest, GoesThroughHaltAndDwellsWhereAClassMayNotFollow) {
    run({0.2, 0.2}, 1s);
    run({0.2, -0.2}, 20ms);
    EXPECT_TRUE(ramp.goes_through_halt());
    run({0.2, -0.2}, 1s);
    EXPECT_EQ(classes, (std::vector{MovementClass::move_fw, MovementClass::halt, MovementClass::swiv_left}));
    EXPECT_FALSE(ramp.goes_through_halt());
}

TEST_F(WheelRampTest, DwellsForTheConfiguredTime) {
    run({0.18, 0.18}, 1s);
    run({}, 200ms);
    EXPECT_TRUE(ramp.at_rest());
    // It came to rest at the end of these 200 ms.
    run({-0.18, -0.18}, settings.halt_dwell - 20ms);
    EXPECT_TRUE(ramp.at_rest());
    run({-0.18, -0.18}, 20ms);
    EXPECT_FALSE(ramp.at_rest());
}

TEST_F(WheelRampTest, GoesOnTheSameWayWithoutDwelling) {
    run({0.18, 0.18}, 1s);
    run({}, 200ms);
    run({0.18, 0.0}, 20ms);
    EXPECT_EQ(ramp.movement(), MovementClass::turn_fw);
}

TEST_F(WheelRampTest, BrakesForAllOfAGapButLeapsNoFurtherThanTwoPeriods) {
    run({0.4, 0.4}, 1s);
    ramp.step({}, now += 300ms);
    EXPECT_NEAR(ramp.speeds().right, 0.4 - 0.3 * settings.deceleration, 1e-12);
    const double before = ramp.speeds().right;
    ramp.step({{0.45, 0.45}, Braking::ordered}, now += 10s);
    EXPECT_NEAR(ramp.speeds().right, before + 0.04 * settings.acceleration, 1e-12);
}

TEST_F(WheelRampTest, PassesZeroWithinTheAccelerationOnTheWayToAVelocity) {
    run({0.3, 0.3}, 1s);
    for (WheelSpeeds before = ramp.speeds(); ramp.speeds() != WheelSpeeds{-0.3, 0.3};
         before = ramp.speeds()) {
        ramp.step({.speeds = {-0.3, 0.3}, .is_velocity = true}, now += 20ms);
        EXPECT_EQ(ramp.speeds().left, 0.3);
        EXPECT_LE(before.right - ramp.speeds().right, 0.02 * settings.acceleration + 1e-12);
    }
    EXPECT_FALSE(ramp.goes_through_halt());
}

TEST_F(WheelRampTest, LetsTheAccelerationTowardsAVelocityGrowWithinTheJerk) {
    double gain = 0.0;
    for (double before = 0.0; ramp.speeds().right < 0.4; before = ramp.speeds().right) {
        ramp.step({.speeds = {0.4, 0.2}, .is_velocity = true}, now += 20ms);
        const double grows = (ramp.speeds().right - before) / 0.02;
        EXPECT_LE(grows - gain, 0.02 * settings.jerk + 1e-9);
        EXPECT_LE(gain - grows, 1.15 * 0.02 * settings.jerk) << "in whole steps at the end";
        EXPECT_NEAR(ramp.speeds().right, 2.0 * ramp.speeds().left, 1e-12);
        gain = grows;
    }
    EXPECT_EQ(ramp.speeds(), (WheelSpeeds{0.4, 0.2}));
    EXPECT_LT(now, Instant(1100ms)) << "0.67 s of acceleration, and 0.1 s at each end";
}

TEST_F(WheelRampTest, BrakesAtOnceInAStopWhateverVelocityIsWanted) {
    run({0.4, 0.4}, 1s);
    ramp.step({{0.1, -0.1}, Braking::stop, true}, now += 20ms);
    const double braked = 0.02 * settings.stop_deceleration;
    EXPECT_NEAR(ramp.speeds().left, 0.4 - braked, 1e-12);
}

TEST_F(WheelRampTest, JudgesAMovementAfterAVelocityFromTheClassOfTheWheels) {
    for (int i = 0; i < 100; ++i) ramp.step({.speeds = {0.2, -0.1}, .is_velocity = true}, now += 20ms);
    EXPECT_EQ(ramp.movement(), MovementClass::swiv_left);
    run({0.2, -0.2}, 1s);
    EXPECT_EQ(classes, (std::vector{MovementClass::swiv_left}));
    for (int i = 0; i < 100; ++i) ramp.step({.speeds = {0.2, -0.1}, .is_velocity = true}, now += 20ms);
    run({0.2, 0.2}, 1s);
    EXPECT_EQ(classes, (std::vector{MovementClass::swiv_left, MovementClass::halt, MovementClass::move_fw}));
}

TEST_F(WheelRampTest, DwellsAfterAVelocityWhoseClassMayNotBeFollowed) {
    for (int i = 0; i < 100; ++i) ramp.step({.speeds = {0.2, -0.1}, .is_velocity = true}, now += 20ms);
    while (!ramp.at_rest()) run({0.2, 0.2}, 20ms);
    run({0.2, 0.2}, settings.halt_dwell - 20ms);
    EXPECT_TRUE(ramp.at_rest()) << "it swiveled, although its center went ahead";
    run({0.2, 0.2}, 40ms);
    EXPECT_FALSE(ramp.at_rest());
}

RC_GTEST_PROP(WheelRamp, NeverExceedsTheVelocityThatIsWanted, ()) {
    const MotionSettings settings;
    WheelRamp ramp(settings);
    Instant now{};
    const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(-45, 46), rc::gen::inRange(-45, 46)));
    for (const auto& [right, left] : steps) {
        const WheelSpeeds wanted{right / 100.0, left / 100.0};
        for (int i = 0; i < 10; ++i) {
            const WheelSpeeds before = ramp.speeds();
            ramp.step({.speeds = wanted, .is_velocity = true}, now += 20ms);
            const auto is_between = [](double from, double at, double to) {
                return std::min(from, to) - 1e-12 <= at && at <= std::max(from, to) + 1e-12;
            };
            RC_ASSERT(is_between(before.right, ramp.speeds().right, wanted.right));
            RC_ASSERT(is_between(before.left, ramp.speeds().left, wanted.left));
        }
    }
}

RC_GTEST_PROP(WheelRamp, DrivesOnlyLegalEdgesWhateverIsWanted, ()) {
    const MotionSettings settings;
    WheelRamp ramp(settings);
    Instant now{};
    const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(-3, 4), rc::gen::inRange(-3, 4)));
    for (const auto& [right, left] : steps) {
        const auto command = MovementCommand::of(right, left);
        if (!command) continue;
        const double share = *rc::gen::inRange(0, 5) / 4.0;  // a gate
        const int repeats = *rc::gen::inRange(1, 30);
        for (int i = 0; i < repeats; ++i) {
            const MovementClass before = ramp.movement();
            now += std::chrono::milliseconds(*rc::gen::inRange(0, 40));
            ramp.step({{settings.speed_of(right) * share, settings.speed_of(left) * share},
                       *rc::gen::element(Braking::ordered, Braking::stop)},
                      now);
            RC_ASSERT(may_follow(before, ramp.movement()));
        }
    }
}

}  // namespace
}  // namespace caribou::motion
