#include "robot/wheel_feedback.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::MovementState;

class WheelFeedbackTest : public testing::Test {
protected:
    /// Rolls the wheels for a second, in steps of 20 ms.
    void roll(std::int64_t right_ticks, std::int64_t left_ticks) {
        for (int i = 0; i < 50; ++i) {
            right += right_ticks;
            left += left_ticks;
            feedback.update(right, left, now += 20ms);
        }
    }

    BodyPlan plan{};
    WheelFeedback feedback{plan};
    Instant now{};
    std::int64_t right = 0;
    std::int64_t left = 1'000'000;
};

TEST_F(WheelFeedbackTest, KnowsNothingWithoutValidFeedback) {
    EXPECT_EQ(feedback.state(), MovementState::unknown);
    roll(2, 2);
    EXPECT_EQ(feedback.state(), MovementState::forward);
    feedback.update(std::nullopt, left, now);
    EXPECT_EQ(feedback.state(), MovementState::unknown);
    EXPECT_EQ(feedback.measured(), std::nullopt);
}

TEST_F(WheelFeedbackTest, MeasuresSpeedsAndStates) {
    roll(4, -4);
    ASSERT_TRUE(feedback.measured());
    EXPECT_NEAR(feedback.measured()->right, 0.1, 1e-9);
    EXPECT_NEAR(feedback.measured()->left, -0.1, 1e-9);
    EXPECT_EQ(feedback.state(), MovementState::swiveling_left);
    roll(0, 4);
    EXPECT_EQ(feedback.state(), MovementState::turning_right_forward);
    roll(0, 0);
    EXPECT_EQ(feedback.state(), MovementState::halted);
}

TEST_F(WheelFeedbackTest, IntegratesAStraightWay) {
    roll(10, 10);
    EXPECT_NEAR(feedback.odometry().pose.x, 49 * 10 * plan.metres_per_tick, 1e-9);
    EXPECT_NEAR(feedback.odometry().pose.y, 0.0, 1e-12);
    roll(-10, -10);
    EXPECT_NEAR(feedback.odometry().distance, 99 * 10 * plan.metres_per_tick, 1e-9);
}

TEST_F(WheelFeedbackTest, IntegratesATurnOnTheSpot) {
    feedback.update(right, left, now);
    roll(4, -4);
    const double rolled = 50 * 4 * plan.metres_per_tick;
    EXPECT_NEAR(feedback.odometry().pose.heading, wrapped_angle(2.0 * rolled / plan.wheel_base), 1e-9);
    EXPECT_NEAR(feedback.odometry().yaw_rate, 2.0 * rolled / plan.wheel_base, 1e-6);
}

TEST_F(WheelFeedbackTest, IsLessSureOfItsPlaceTheFurtherItRolls) {
    feedback.update(right, left, now);
    while (feedback.odometry().pose.x < 1.0) roll(10, 10);
    const double way = feedback.odometry().pose.x;
    const PoseSpread& spread = feedback.odometry().spread;
    constexpr double k = WheelFeedback::stray * WheelFeedback::stray;
    EXPECT_NEAR(spread.xx, k * way / 2.0, 1e-9) << "the mean of two wheels";
    EXPECT_NEAR(spread.hh, 2.0 * k * way / (plan.wheel_base * plan.wheel_base), 1e-9);
    EXPECT_NEAR(spread.yy, spread.hh * way * way / 3.0, spread.yy * 0.05) << "by what the heading was off";
    EXPECT_NEAR(spread.yh, spread.hh * way / 2.0, spread.yh * 0.05);
    EXPECT_NEAR(spread.xy, 0.0, 1e-12);
}

TEST_F(WheelFeedbackTest, GoesOnFromWhereItWasWhenTheEncodersComeBack) {
    roll(10, 10);
    const double x = feedback.odometry().pose.x;
    feedback.update(std::nullopt, std::nullopt, now += 20ms);
    right += 5000;
    left += 5000;
    feedback.update(right, left, now += 20ms);
    EXPECT_EQ(feedback.odometry().pose.x, x);
}

}  // namespace
}  // namespace caribou::robot
