#include "motion/wheel_feedback.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

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

/// The covariance of a pose, propagated by matrices: P' = F P F^T + G Q G^T.
struct Covariance {
    using Matrix = std::array<std::array<double, 3>, 3>;
    Matrix p{};

    void roll(double right, double left, double heading, double wheel_base) {
        const double ahead = (right + left) / 2.0;
        const double middle = heading + (right - left) / wheel_base / 2.0;
        const double c = std::cos(middle);
        const double n = std::sin(middle);
        const Matrix f = {{{1, 0, -ahead * n}, {0, 1, ahead * c}, {0, 0, 1}}};
        // Each wheel drifts independently. Its effect on the position within one step is ignored.
        const double k = WheelFeedback::stray * WheelFeedback::stray;
        const std::array<std::array<double, 2>, 3> g = {
            {{c / 2, c / 2}, {n / 2, n / 2}, {1 / wheel_base, -1 / wheel_base}}};
        const std::array<double, 2> q = {k * std::abs(right), k * std::abs(left)};
        Matrix next{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                for (std::size_t a = 0; a < 3; ++a)
                    for (std::size_t b = 0; b < 3; ++b) next[i][j] += f[i][a] * p[a][b] * f[j][b];
                for (std::size_t w = 0; w < 2; ++w) next[i][j] += g[i][w] * q[w] * g[j][w];
            }
        p = next;
    }
};

TEST_F(WheelFeedbackTest, PropagatesTheCovarianceAlongCurves) {
    Covariance expected;
    feedback.update(right, left, now);
    for (const auto& [r, l] : {std::pair{9, 4}, {3, 8}, {-5, 7}, {-6, -2}, {10, 10}, {0, 5}}) {
        for (int i = 0; i < 50; ++i) {
            expected.roll(r * plan.metres_per_tick, l * plan.metres_per_tick,
                          feedback.odometry().pose.heading, plan.wheel_base);
            feedback.update(right += r, left += l, now += 20ms);
        }
        const PoseSpread& spread = feedback.odometry().spread;
        EXPECT_NEAR(spread.xx, expected.p[0][0], 1e-12);
        EXPECT_NEAR(spread.xy, expected.p[0][1], 1e-12);
        EXPECT_NEAR(spread.xh, expected.p[0][2], 1e-12);
        EXPECT_NEAR(spread.yy, expected.p[1][1], 1e-12);
        EXPECT_NEAR(spread.yh, expected.p[1][2], 1e-12);
        EXPECT_NEAR(spread.hh, expected.p[2][2], 1e-12);
    }
}

TEST_F(WheelFeedbackTest, IntegratesACircle) {
    feedback.update(right, left, now);
    // The inner wheel rolls on a circle of 0.38 m, the outer one on a circle of 0.62 m around the same point.
    for (int i = 0; i < 20; ++i) roll(31, 19);
    const double turn = 20 * 50 * 12 * plan.metres_per_tick / plan.wheel_base;
    const double radius = 0.5;
    EXPECT_NEAR(feedback.odometry().pose.x, radius * std::sin(turn), 1e-3);
    EXPECT_NEAR(feedback.odometry().pose.y, radius * (1.0 - std::cos(turn)), 1e-3);
    EXPECT_NEAR(feedback.odometry().pose.heading, wrapped_angle(turn), 1e-9);
    EXPECT_NEAR(feedback.odometry().distance, radius * turn, 1e-9);
    EXPECT_NEAR(feedback.odometry().speed, 25 * plan.metres_per_tick / 0.02, 1e-9);
    EXPECT_NEAR(feedback.odometry().yaw_rate, 12 * plan.metres_per_tick / 0.02 / plan.wheel_base, 1e-9);
}

TEST_F(WheelFeedbackTest, MeasuresOverTheLastSixSamples) {
    roll(4, 4);
    feedback.update(right += 8, left += 8, now += 20ms);  // one of six steps twice as fast
    EXPECT_NEAR(feedback.measured()->right, (5 * 4 + 8) * plan.metres_per_tick / 0.12, 1e-9);
    for (int i = 0; i < 6; ++i) feedback.update(right, left, now += 20ms);
    EXPECT_NEAR(feedback.measured()->right, 0.0, 1e-9);
}

TEST_F(WheelFeedbackTest, MeasuresOverTheSameTimeHoweverOftenItIsUpdated) {
    for (int i = 0; i < 500; ++i) feedback.update(right += 1, left += 1, now += 5ms);
    EXPECT_NEAR(feedback.measured()->right, plan.metres_per_tick / 0.005, 1e-9);
    for (int i = 0; i < 16; ++i) feedback.update(right, left, now += 5ms);
    EXPECT_GT(feedback.measured()->right, 0.0) << "80 ms later";
    for (int i = 0; i < 8; ++i) feedback.update(right, left, now += 5ms);
    EXPECT_NEAR(feedback.measured()->right, 0.0, 1e-9) << "120 ms later";
    feedback.update(right += 1, left, now);
    EXPECT_TRUE(feedback.measured()) << "twice at the same time";
}

TEST_F(WheelFeedbackTest, StartsAnewWhenAnEncoderWasMissing) {
    roll(4, 4);
    feedback.update(right, std::nullopt, now += 20ms);
    EXPECT_EQ(feedback.odometry().speed, 0.0);
    EXPECT_EQ(feedback.odometry().yaw_rate, 0.0);
    feedback.update(right += 1000, left += 1000, now += 20ms);
    EXPECT_EQ(feedback.measured(), std::nullopt) << "one sample has no speed";
    feedback.update(right += 4, left += 4, now += 20ms);
    EXPECT_NEAR(feedback.measured()->right, 0.1, 1e-9);
}

TEST_F(WheelFeedbackTest, CallsAWheelStillBelowOneCentimeterPerSecond) {
    // 0.0005 m per tick: 2 ticks in 0.1 s are exactly 0.01 m/s.
    const auto state = [&](std::int64_t ticks) {
        feedback = WheelFeedback{plan};
        feedback.update(right, left, now);
        feedback.update(right + ticks, left + ticks, now + 100ms);
        return feedback.state();
    };
    EXPECT_EQ(state(1), MovementState::halted);
    EXPECT_EQ(state(-1), MovementState::halted);
    EXPECT_EQ(state(2), MovementState::forward);
    EXPECT_EQ(state(-3), MovementState::backward);
}

}  // namespace
}  // namespace caribou::motion
