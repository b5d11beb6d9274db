#include "negotiation/ros_units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

namespace caribou::negotiation {
namespace {

constexpr double pi = std::numbers::pi;

double to_ros(std::string_view unit, double value) { return find_unit(unit)->to_ros(value); }
double from_ros(std::string_view unit, double value) { return find_unit(unit)->from_ros(value); }

TEST(RosUnits, BecomeSi) {
    EXPECT_DOUBLE_EQ(to_ros("kn", 2), 2 * 1852.0 / 3600);
    EXPECT_DOUBLE_EQ(to_ros("deg", 180), pi);
    EXPECT_DOUBLE_EQ(to_ros("%", 50), 0.5);
    EXPECT_DOUBLE_EQ(to_ros("m down", 3), -3);
    EXPECT_EQ(find_unit("knots"), nullptr);
}

TEST(RosUnits, TurnACompassIntoAnAngleFromEast) {
    EXPECT_NEAR(to_ros("compass deg", 90), 0, 1e-12) << "east";
    EXPECT_NEAR(to_ros("compass deg", 0), pi / 2, 1e-12) << "north";
    EXPECT_NEAR(from_ros("compass deg", pi), 270, 1e-9) << "west";
    EXPECT_NEAR(from_ros("compass deg", pi / 2), 0, 1e-9);
    EXPECT_NEAR(from_ros("deg", 3 * pi / 2), -90, 1e-9);
}

RC_GTEST_PROP(RosUnits, LeadBack, ()) {
    const auto& name =
        *rc::gen::elementOf(std::vector<std::string>(known_units().begin(), known_units().end()));
    const RosUnit& unit = *find_unit(name);
    const double value = *rc::gen::inRange(-1000, 1000) / 10.0;
    const double back = unit.from_ros(unit.to_ros(value));
    const double turn = unit.is_angle ? std::abs(2 * pi / unit.factor) : 1e300;
    RC_ASSERT(std::abs(std::remainder(back - value, turn)) < 1e-6);
}

RC_GTEST_PROP(Rotation, LeadsBackToItsAngle, ()) {
    const double yaw = *rc::gen::inRange(-3141, 3141) / 1000.0;
    const PlanarRotation rotation = rotation_of(yaw);
    RC_ASSERT(std::abs(yaw_of(0, 0, rotation.z, rotation.w) - yaw) < 1e-9);
}

}  // namespace
}  // namespace caribou::negotiation
