#include "robot/clearance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace caribou::robot {
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

}  // namespace
}  // namespace caribou::robot
