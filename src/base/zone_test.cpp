#include "base/zone.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace caribou {
namespace {

const std::vector<Vec2> square{{0, 0}, {2, 0}, {2, 1}, {0, 1}};

std::string fault_of_zone(std::vector<Vec2> corners, ZoneKind kind = ZoneKind::keep_out, double speed = 0) {
    const auto good =
        check_zone({.name = "stairs", .kind = kind, .speed = speed, .corners = std::move(corners)});
    return good ? "" : good.error().message;
}

TEST(Zone, IsDeepInsideAndFarOutside) {
    EXPECT_DOUBLE_EQ(signed_distance(square, {1, 0.25}), -0.25);
    EXPECT_DOUBLE_EQ(signed_distance(square, {1, 1.5}), 0.5);
    EXPECT_DOUBLE_EQ(signed_distance(square, {5, 5}), 5);
    EXPECT_DOUBLE_EQ(signed_distance(square, {2, 0.5}), 0);
    EXPECT_EQ(signed_distance({}, {0, 0}), std::numeric_limits<double>::infinity());
}

TEST(Zone, MayHaveAnInnerCorner) {
    const std::vector<Vec2> angle{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    EXPECT_EQ(fault_of_zone(angle), "");
    EXPECT_DOUBLE_EQ(signed_distance(angle, {2, 2}), 1) << "between its arms";
    EXPECT_DOUBLE_EQ(signed_distance(angle, {0.5, 2}), -0.5);
    EXPECT_DOUBLE_EQ(signed_distance(angle, {1, 3.5}), 0.5);
}

TEST(Zone, HasTheSameDistanceInBothOrdersOfItsCorners) {
    std::vector<Vec2> round;
    for (int i = 0; i < 7; ++i) round.push_back(towards(i * 2 * std::numbers::pi / 7) * (1 + i % 2));
    const std::vector<Vec2> back(round.rbegin(), round.rend());
    for (double x = -2.5; x < 2.5; x += 0.37)
        for (double y = -2.5; y < 2.5; y += 0.41)
            EXPECT_NEAR(signed_distance(round, {x, y}), signed_distance(back, {x, y}), 1e-12);
}

TEST(Zone, IsRefusedWithTheReason) {
    EXPECT_EQ(fault_of_zone(square), "");
    EXPECT_EQ(fault_of_zone({{0, 0}, {1, 0}}), "a zone needs at least 3 corners, found 2");
    EXPECT_EQ(fault_of_zone(std::vector<Vec2>(33)), "limit max_corners reached: 33 of at most 32 corners");
    EXPECT_EQ(fault_of_zone({{0, 0}, {2, 0}, {2, 0.001}, {0, 1}}), "the corners 2 and 3 are the same");
    EXPECT_EQ(fault_of_zone({{0, 0}, {2, 1}, {2, 0}, {0, 1}}), "the sides after the corners 1 and 3 cross");
    EXPECT_EQ(fault_of_zone({{0, 0}, {2, 0}, {1, 0}}), "the sides at corner 2 cover each other");
    EXPECT_EQ(fault_of_zone({{0, 0}, {2, 0}, {1, 1e300}}), "corner 3 is not within 10000 m of 0, 0");
    EXPECT_EQ(fault_of_zone({{0, 0}, {2, 0}, {1, std::nan("")}}), "corner 3 is not within 10000 m of 0, 0");
    EXPECT_EQ(fault_of_zone(square, ZoneKind::speed, 0.2), "");
    EXPECT_EQ(fault_of_zone(square, ZoneKind::speed, 0.01),
              "expected a speed from 0.05 to 5 m/s, found 0.01");
    EXPECT_EQ(fault_of_zone(square, ZoneKind::speed, std::nan("")),
              "expected a speed from 0.05 to 5 m/s, found nan");
    EXPECT_FALSE(check_zone({.name = "a b", .corners = square}));
}

}  // namespace
}  // namespace caribou
