// Zones of a map limit movements and velocities of every source.
#include "motion/zone_limits.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "motion/motion_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

std::vector<Vec2> box(Vec2 low, Vec2 high) { return {low, {high.x, low.y}, high, {low.x, high.y}}; }

class MotionNearZone : public MotionRig {
protected:
    void place(std::vector<Zone> zones, const Pose& odom_in_map = {}) {
        placed = {std::make_shared<const std::vector<Zone>>(std::move(zones)), odom_in_map};
        propulsion.set_zones(placed);
        audit.set_zones(placed, body.plan().radius);
    }
    void keep_out(Vec2 low, Vec2 high) { place({{.name = "stairs", .corners = box(low, high)}}); }
    double gap() const {
        return signed_distance(placed.zones->front().corners,
                               position(composed(placed.odom_in_map, report().odometry.pose))) -
               body.plan().radius;
    }
    PlacedZones placed;
};

TEST_F(MotionNearZone, HaltsBeforeAKeepOutZoneAndMayGoElsewhere) {
    keep_out({1, -1}, {2, 1});
    hold("MOVE_FW_3", 5s);
    EXPECT_TRUE(at_rest());
    EXPECT_TRUE(has(MotionReason::zone_stop));
    EXPECT_NEAR(gap(), settings.stop_zone, 0.01);
    hold(Velocity{0.3, 0.5}, 500ms);
    EXPECT_TRUE(at_rest()) << "a curve that begins towards it";
    hold("SWIV_LEFT_2", 500ms);
    EXPECT_FALSE(at_rest());
    hold("HALT", 500ms);
    hold(Velocity{-0.3, 0.0}, 1s);
    EXPECT_LT(body.driven.right, -0.1) << "away from it";
    EXPECT_GT(gap(), 0.15);
}

TEST_F(MotionNearZone, MovesAnOdometryThatWasCorrected) {
    place({{.name = "stairs", .corners = box({1, -1}, {2, 1})}}, {1.5, 3, -std::numbers::pi / 2});
    hold(Velocity{0.4, 0.0}, 10s);
    EXPECT_TRUE(at_rest());
    EXPECT_NEAR(report().odometry.pose.x, 3 - 1 - body.plan().radius - settings.stop_zone, 0.01);
}

TEST_F(MotionNearZone, BrakesInTimeAlsoWhenTheOrderEnds) {
    keep_out({1, -1}, {2, 1});
    for (int i = 0; i < 100 && gap() > settings.stop_zone + 0.06; ++i) hold(Velocity{0.45, 0.0}, 20ms);
    EXPECT_GT(body.driven.right, 0.4);
    hold(Velocity{}, 1s);
    EXPECT_TRUE(at_rest());
    EXPECT_GT(gap(), settings.stop_zone - 0.01);
}

TEST_F(MotionNearZone, LeavesAZoneThatWasDrawnOverIt) {
    keep_out({-0.5, -1}, {2, 1});
    hold("MOVE_FW_1", 1s);
    EXPECT_TRUE(at_rest()) << "deeper into it";
    EXPECT_EQ(report().reason, MotionReason::zone_stop);
    hold("MOVE_BW_3", 1s);
    EXPECT_NEAR(body.driven.right, -settings.creep_speed, 1e-9);
    EXPECT_TRUE(has(MotionReason::zone_slow));
    hold("MOVE_BW_3", 15s);
    EXPECT_GT(gap(), 0.5);
    EXPECT_NEAR(body.driven.right, -settings.level_3, 1e-9);
}

TEST_F(MotionNearZone, IsSlowInASpeedZoneAndBrakesBeforeIt) {
    place({{.name = "door", .kind = ZoneKind::speed, .speed = 0.1, .corners = box({1, -1}, {2, 1})}});
    hold(Velocity{0.4, 0.0}, 1500ms);
    EXPECT_NEAR(body.driven.right, 0.4, 1e-9);
    hold(Velocity{0.4, 0.0}, 4s);
    EXPECT_NEAR(body.driven.right, 0.1, 1e-9);
    EXPECT_EQ(report().reason, MotionReason::zone_slow);
    hold(Velocity{0.0, 2.0}, 1s);
    EXPECT_NEAR(body.driven.right, 0.1, 1e-9) << "also on the spot";
    place({});
    hold(Velocity{0.4, 0.0}, 2s);
    EXPECT_NEAR(body.driven.right, 0.4, 1e-9);
}

TEST_F(MotionNearZone, DoesNotBackOffIntoAKeepOutZone) {
    keep_out({-2, -1}, {-0.18, 1});
    EXPECT_LT(gap(), settings.stop_zone);
    hold("MOVE_FW_1", 100ms);
    body.say("bumper_front", true);
    hold("MOVE_FW_1", 500ms);
    EXPECT_TRUE(at_rest());
    EXPECT_TRUE(has(MotionReason::bump));
    EXPECT_TRUE(has(MotionReason::zone_stop));
}

/// Whatever is ordered, and however the steering changes: the audit checks the distance in every step.
TEST_F(MotionNearZone, IsNeverEnteredByRandomSteering) {
    Random random(7);
    keep_out({0.6, -3}, {1.6, 3});
    double nearest = gap();
    for (int i = 0; i < 3000; ++i) {
        if (random.chance(0.5))
            hold(Velocity{0.9 * random.unit() - 0.4, 6.0 * random.unit() - 3.0}, 100ms);
        else if (const auto movement = MovementCommand::of(static_cast<int>(random.between(-3, 3)),
                                                           static_cast<int>(random.between(-3, 3))))
            propulsion.order({.command = *movement}), loop.advance(200ms);
        nearest = std::min(nearest, gap());
        if (gap() > 2)
            place({{.name = "stairs",
                    .corners = box(position(report().odometry.pose) + Vec2{0.5, -3},
                                   position(report().odometry.pose) + Vec2{1.5, 3})}});
    }
    EXPECT_LT(nearest, settings.stop_zone + 0.01) << "it has tried";
    EXPECT_GT(nearest, settings.stop_zone - 0.01);
}

}  // namespace
}  // namespace caribou::motion
