#include "marine/vehicle.hpp"

#include <gtest/gtest.h>

#include "marine/angles.hpp"
#include "marine/autopilot.hpp"
#include "marine/waypoints.hpp"

namespace caribou::marine {
namespace {

using namespace std::chrono_literals;

VehicleSettings mapped(std::string_view map = "20:1, 40:2, 60:3, 80:4, 100:5") {
    return {.thrust_map = ThrustMap::parse(map, 20, false).value(), .turn_rate = 95};
}

TEST(ThrustMap, InterpolatesBetweenPairsAndIsConstantBeyond) {
    const auto map = ThrustMap::parse("20:1, 40:3", 20, false).value();
    EXPECT_DOUBLE_EQ(map.speed(0), 0);
    EXPECT_DOUBLE_EQ(map.speed(10), 0.5);
    EXPECT_DOUBLE_EQ(map.speed(30), 2);
    EXPECT_DOUBLE_EQ(map.speed(100), 3);
    EXPECT_DOUBLE_EQ(map.speed(-30), 0);
    EXPECT_DOUBLE_EQ(ThrustMap::parse("20:1, 40:3", 20, true).value().speed(-30), -2);
    EXPECT_DOUBLE_EQ(ThrustMap::parse("", 20, false).value().speed(50), 2.5);
    EXPECT_DOUBLE_EQ(ThrustMap::parse("-100:-2, 20:1", 20, false).value().speed(-50), -1);
    EXPECT_FALSE(ThrustMap::parse("40:1, 20:2", 20, false));
    EXPECT_FALSE(ThrustMap::parse("forty", 20, false));
}

TEST(Vehicle, ReachesTheSpeedOfItsThrustByHalves) {
    Vehicle vehicle(mapped(), {});
    vehicle.order_thrust(40);
    vehicle.step(0.1);
    EXPECT_DOUBLE_EQ(vehicle.state().speed, 1);
    vehicle.step(0.1);
    EXPECT_DOUBLE_EQ(vehicle.state().speed, 1.5);
    for (int i = 0; i < 100; ++i) vehicle.step(0.1);
    EXPECT_NEAR(vehicle.state().speed, 2, 1e-9);
    EXPECT_NEAR(vehicle.state().y, 20.2, 1e-6);
    EXPECT_EQ(vehicle.state().x, 0);
}

TEST(Vehicle, TurnsWithTheMeasuredRate) {
    VehicleSettings settings = mapped();
    settings.turn_speed_loss = 0;
    settings.turn_rate = 95;
    Vehicle vehicle(settings, {.speed = 1.2});
    vehicle.order_thrust(24);
    vehicle.order_rudder(100, Instant{});
    vehicle.step(0.1);
    EXPECT_NEAR(vehicle.state().heading / 0.1, 95 * 1.2 / 5 * 24 / 50, 1e-9);
}

TEST(Vehicle, RudderMovesByAtMostOneHundredPerMessage) {
    Vehicle vehicle(mapped(), {.speed = 2});
    vehicle.order_thrust(50);
    vehicle.order_rudder(100, Instant{});
    vehicle.order_rudder(-50, Instant{});
    vehicle.step(0.1);
    EXPECT_DOUBLE_EQ(vehicle.state().heading, 0);
}

TEST(Vehicle, LosesSpeedInATurnAndNotFasterThanItCan) {
    Vehicle vehicle(mapped(), {.speed = 2.5});
    vehicle.order_thrust(0);
    vehicle.step(1);
    // 2.5 to 2.0 in a second at most; the mean is the new speed.
    EXPECT_DOUBLE_EQ(vehicle.state().speed, 2.25);
    EXPECT_NEAR(vehicle.state().y, 2.25, 1e-9);
}

TEST(Vehicle, DriftsWithoutThrust) {
    Vehicle vehicle(mapped(), {});
    vehicle.set_drift({1, -2});
    vehicle.step(2);
    EXPECT_DOUBLE_EQ(vehicle.state().x, 2);
    EXPECT_DOUBLE_EQ(vehicle.state().y, -4);
    EXPECT_NEAR(vehicle.state().speed_over_ground, std::sqrt(5), 1e-9);
    EXPECT_DOUBLE_EQ(vehicle.state().speed, 0);
}

TEST(Vehicle, DivesWithItsElevatorAndRisesWithoutSpeed) {
    Vehicle vehicle(mapped(), {.speed = 2});
    vehicle.order_thrust(40);
    vehicle.order_elevator(50);
    for (int i = 0; i < 100; ++i) vehicle.step(0.1);
    const double deep = vehicle.state().depth;
    EXPECT_GT(deep, 1);
    vehicle.order_thrust(0);
    for (int i = 0; i < 3000; ++i) vehicle.step(0.1);
    EXPECT_LT(vehicle.state().depth, deep);
    EXPECT_GE(vehicle.state().depth, 0);
}

TEST(Autopilot, ControlsOnlyWithoutOverrideAndWithFreshInputs) {
    Autopilot pilot({.depth_control = false});
    using Input = Autopilot::Input;
    const auto feed = [&](double time) {
        pilot.set(Input::desired_heading, 90, time);
        pilot.set(Input::desired_speed, 1.2, time);
        pilot.set(Input::nav_heading, 80, time);
        pilot.set(Input::nav_speed, 1, time);
    };
    feed(0);
    EXPECT_FALSE(pilot.step(0).has_control);
    pilot.set_override(false);
    EXPECT_FALSE(pilot.step(0.1).has_control) << "inputs must come anew";
    feed(0.1);
    const auto step = pilot.step(0.2);
    ASSERT_TRUE(step.orders);
    EXPECT_DOUBLE_EQ(step.orders->thrust, 24);
    EXPECT_GT(step.orders->rudder, 0);
    EXPECT_FALSE(step.orders->elevator);
    const auto late = pilot.step(2.2);
    EXPECT_FALSE(late.has_control);
    EXPECT_EQ(late.stale, "Stale NavHdg:2.100") << "the cause: without it there are no orders either";
    ASSERT_TRUE(late.orders) << "zeros once";
    EXPECT_EQ(late.orders->thrust, 0);
    EXPECT_FALSE(pilot.step(2.3).orders);
}

TEST(Autopilot, SteersAVehicleToItsHeadingFromAnywhere) {
    for (const double wanted : {10.0, 100.0, 190.0, 350.0}) {
        Vehicle vehicle(mapped(), {});
        Autopilot pilot(
            {.yaw = {.kp = 0.9, .kd = 0.3, .ki = 0.3, .integral_limit = 0.07}, .depth_control = false});
        pilot.set_override(false);
        Instant now{};
        for (double time = 0; time < 60; time += 0.1, now += 100ms) {
            pilot.set(Autopilot::Input::desired_heading, wanted, time);
            pilot.set(Autopilot::Input::desired_speed, 1.5, time);
            pilot.set(Autopilot::Input::nav_heading, vehicle.state().heading, time);
            pilot.set(Autopilot::Input::nav_speed, vehicle.state().speed, time);
            const auto step = pilot.step(time);
            vehicle.order_thrust(step.orders.value().thrust);
            vehicle.order_rudder(step.orders->rudder, now);
            vehicle.step(0.1);
        }
        EXPECT_NEAR(folded_180(vehicle.state().heading - wanted), 0, 3) << wanted;
    }
}

TEST(Waypoints, AreCapturedOrSlippedByInOrder) {
    Waypoints course({.points = {{10, 0}, {20, 0}}, .capture_radius = 3, .slip_radius = 8});
    EXPECT_EQ(course.steer({0, 0}), (Vec2{10, 0}));
    EXPECT_EQ(course.steer({8, 0}), (Vec2{20, 0}));
    EXPECT_EQ(course.captured(), 1U);
    EXPECT_EQ(course.steer({20, 6}), (Vec2{20, 0}));
    EXPECT_EQ(course.steer({22, 7}), std::nullopt) << "it leaves after a closest approach within 8 m";
    EXPECT_TRUE(course.done());
    EXPECT_EQ(course.captured(), 1U);
    EXPECT_EQ(course.passed(), 2U);
}

TEST(Waypoints, AreRepeatedAndLedAlongTheLeg) {
    Waypoints course({.points = {{0, 0}, {100, 0}}, .repeat = 1, .lead = 10});
    EXPECT_EQ(course.steer({0, 1}), (Vec2{10, 0})) << "ten meters ahead on the leg";
    EXPECT_EQ(course.steer({50, 5}), (Vec2{60, 0}));
    EXPECT_EQ(course.steer({99, 0}), (Vec2{89, 0})) << "back to the first one";
    EXPECT_EQ(course.rounds(), 1U);
    EXPECT_TRUE(course.steer({0, 0}));
    EXPECT_FALSE(course.steer({100, 0}));
}

}  // namespace
}  // namespace caribou::marine
