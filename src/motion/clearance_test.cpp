#include "motion/clearance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace caribou::motion {
namespace {

constexpr double radius = 0.15;
constexpr double infinite = std::numeric_limits<double>::infinity();

class ClearanceTest : public testing::Test {
protected:
    Clearance clearance{radius, 0.03};
};

TEST_F(ClearanceTest, IsMeasuredFromTheHull) {
    clearance.add({radius, 0.0, 0.0}, 0.4);
    EXPECT_NEAR(clearance.ahead(), 0.4, 1e-12);
    EXPECT_EQ(clearance.behind(), infinite);
    clearance.add({-radius, 0.0, std::numbers::pi}, 0.3);
    EXPECT_NEAR(clearance.behind(), 0.3, 1e-12);
}

TEST_F(ClearanceTest, LeavesOutWhatIsBesideTheWay) {
    clearance.add({0.0, 0.0, std::numbers::pi / 4.0}, 0.5);  // 0.35 m to the left
    EXPECT_EQ(clearance.ahead(), infinite);
    clearance.add({0.0, 0.0, 0.2}, 0.5);
    EXPECT_LT(clearance.ahead(), 0.5);
}

TEST_F(ClearanceTest, KnowsWhereNothingLooks) {
    EXPECT_FALSE(clearance.sees_ahead());
    clearance.add({radius, 0.0, 0.0}, infinite);
    EXPECT_TRUE(clearance.sees_ahead());
    EXPECT_FALSE(clearance.sees_behind());
    clearance.add({0.0, radius, std::numbers::pi / 2.0}, 1.0);
    EXPECT_FALSE(clearance.sees_behind());
    clearance.add({-radius, 0.0, std::numbers::pi}, infinite);
    clearance.add({radius, 0.0, 0.0}, infinite);
    EXPECT_TRUE(clearance.sees_behind()) << "another sensor looks there";
}

TEST_F(ClearanceTest, FindsInAScanWhatStandsInTheWay) {
    LidarScan scan{-std::numbers::pi, std::numbers::pi / 180.0, std::vector<float>(360, infinite)};
    scan.ranges.at(180) = 1.0F;  // straight ahead
    scan.ranges.at(270) = 0.2F;  // to the left
    scan.ranges.at(0) = std::numeric_limits<float>::quiet_NaN();
    clearance.add({}, scan);
    EXPECT_NEAR(clearance.ahead(), 1.0 - radius, 1e-6);
    EXPECT_EQ(clearance.behind(), infinite);
    EXPECT_TRUE(clearance.sees_ahead() && clearance.sees_behind());
}

TEST_F(ClearanceTest, ComesCloserWithTheWayDrivenSinceTheScan) {
    Clearance old{radius, 0.03};
    old.add({radius, 0.0, 0.0}, 0.4);
    clearance.merge(old, 0.1);
    EXPECT_NEAR(clearance.ahead(), 0.3, 1e-12);
}

TEST_F(ClearanceTest, LooksAheadAndBehindWithinSixtyDegrees) {
    constexpr double limit = std::numbers::pi / 3.0;
    for (const double side : {-1.0, 1.0}) {
        EXPECT_TRUE(looks_ahead({0.0, 0.0, side * (limit - 0.001)}));
        EXPECT_FALSE(looks_ahead({0.0, 0.0, side * limit}));
        EXPECT_TRUE(looks_behind({0.0, 0.0, side * (std::numbers::pi - limit + 0.001)}));
        EXPECT_FALSE(looks_behind({0.0, 0.0, side * (std::numbers::pi - limit - 0.001)}));
    }
    EXPECT_TRUE(looks_behind({0.0, 0.0, std::numbers::pi}));
}

TEST_F(ClearanceTest, CountsAPointAtTheMarginAndNotBeyondIt) {
    clearance.add_point(0.5, radius + 0.03);
    EXPECT_NEAR(clearance.ahead(), 0.5, 1e-12) << "beside the hull its front is in the middle";
    Clearance other{radius, 0.03};
    other.add_point(0.5, -(radius + 0.0301));
    EXPECT_EQ(other.ahead(), infinite);
    other.add_point(-0.5, 0.09);
    EXPECT_NEAR(other.behind(), 0.5 - 0.12, 1e-12) << "the hull is round";
    EXPECT_EQ(other.ahead(), infinite);
    other.add_point(0.0, 0.0);
    EXPECT_NEAR(other.ahead(), -radius, 1e-12) << "inside the hull";
}

TEST_F(ClearanceTest, KeepsTheNearestOfSeveralPoints) {
    clearance.add_point(0.6, 0.0);
    clearance.add_point(0.4, 0.0);
    clearance.add_point(0.5, 0.0);
    EXPECT_NEAR(clearance.ahead(), 0.4 - radius, 1e-12);
}

TEST_F(ClearanceTest, PlacesEveryBeamByThePoseOfTheLidar) {
    // Rotated to the left by 90 degrees, 0.05 m in front of and 0.1 m to the right of the center.
    const Pose lidar{0.05, -0.1, std::numbers::pi / 2.0};
    for (int hit = 0; hit < 8; ++hit) {
        LidarScan scan{-std::numbers::pi, std::numbers::pi / 4.0, std::vector<float>(8, infinite)};
        scan.ranges.at(static_cast<std::size_t>(hit)) = 0.4F;
        Clearance seen{radius, 0.5};
        seen.add(lidar, scan);
        const double angle = lidar.heading + scan.first_angle + hit * scan.angle_step;
        Clearance expected{radius, 0.5};
        expected.add_point(lidar.x + 0.4 * std::cos(angle), lidar.y + 0.4 * std::sin(angle));
        EXPECT_NEAR(std::min(seen.ahead(), 9.0), std::min(expected.ahead(), 9.0), 1e-6) << hit;
        EXPECT_NEAR(std::min(seen.behind(), 9.0), std::min(expected.behind(), 9.0), 1e-6) << hit;
    }
}

TEST_F(ClearanceTest, KnowsWhereAScanOfLessThanACircleLooks) {
    const auto sees = [](double first, double step, std::size_t beams) {
        Clearance seen{radius, 0.03};
        seen.add({}, LidarScan{first, step, std::vector<float>(beams, infinite)});
        return std::pair(seen.sees_ahead(), seen.sees_behind());
    };
    using Both = std::pair<bool, bool>;
    constexpr double degree = std::numbers::pi / 180.0;
    EXPECT_EQ(sees(-60 * degree, degree, 120), Both(true, false));
    EXPECT_EQ(sees(120 * degree, degree, 120), Both(false, true));
    EXPECT_EQ(sees(30 * degree, degree, 120), Both(false, false)) << "to the left";
    EXPECT_EQ(sees(-60 * degree, degree, 299), Both(false, false)) << "its middle is at 90 degrees";
    EXPECT_EQ(sees(-60 * degree, degree, 301), Both(true, true)) << "nearly all around";
}

TEST_F(ClearanceTest, MergesWhatItSeesOnBothSides) {
    Clearance old{radius, 0.03};
    old.add({-radius, 0.0, std::numbers::pi}, 0.4);
    clearance.add({radius, 0.0, 0.0}, 0.2);
    clearance.merge(old, 0.1);
    EXPECT_NEAR(clearance.ahead(), 0.2, 1e-12);
    EXPECT_NEAR(clearance.behind(), 0.3, 1e-12);
    EXPECT_TRUE(clearance.sees_ahead() && clearance.sees_behind());
    Clearance new_one{radius, 0.03};
    new_one.merge(clearance, 0);
    EXPECT_TRUE(new_one.sees_ahead() && new_one.sees_behind());
}

}  // namespace
}  // namespace caribou::motion
