#include "devices/scan_maker.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "base/geometry.hpp"

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;

constexpr double pi = std::numbers::pi;
constexpr double tick = 0.0001;
constexpr double wheel_base = 0.2;

/// The range to the walls of a room of 4 x 3 m around the origin, from a pose in it, in a direction of the
/// room.
double wall(const Pose& from, double direction) {
    const double c = std::cos(direction);
    const double s = std::sin(direction);
    const double x = c > 0 ? (2.0 - from.x) / c : (-2.0 - from.x) / c;
    const double y = s > 0 ? (1.5 - from.y) / s : (-1.5 - from.y) / s;
    return std::min(std::abs(c) < 1e-9 ? y : x, std::abs(s) < 1e-9 ? x : y);
}

/// Drives for a second, with a turn of the lidar in the second half, and returns its scan and the pose at its
/// end.
std::pair<motion::LidarScan, Pose> scan_of_drive(double right, double left, LidarMount mount) {
    OdometryTrail trail(wheel_base, tick);
    ScanMaker maker(mount, trail);
    for (int ms = 0; ms <= 1000; ms += 5)
        trail.add(std::lround(right * ms / 1000.0 / tick), std::lround(left * ms / 1000.0 / tick),
                  Instant(std::chrono::milliseconds(ms)));
    maker.end_turn();
    constexpr int points = 500;
    for (int i = 0; i < points; ++i) {
        const Instant at = Instant(500ms) + i * 1ms;
        const double clockwise = 2.0 * pi * i / points;
        const Pose lidar = composed(trail.pose_at(at), mount.pose);
        const double direction = lidar.heading + (mount.upside_down ? clockwise : -clockwise);
        maker.add({clockwise, wall(lidar, direction), at});
    }
    maker.end_turn();
    return {*maker.scan(), trail.pose_at(maker.ended())};
}

void expect_room(const motion::LidarScan& scan, const Pose& lidar) {
    std::size_t readings = 0;
    for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
        if (!std::isfinite(scan.ranges[i])) continue;
        ++readings;
        const double direction = lidar.heading + scan.first_angle + scan.angle_step * static_cast<double>(i);
        // A direction is as exact as the grid.
        const double low = std::min(wall(lidar, direction - 0.01), wall(lidar, direction + 0.01));
        const double high = std::max(wall(lidar, direction - 0.01), wall(lidar, direction + 0.01));
        EXPECT_GE(scan.ranges[i], low - 0.03) << i;
        EXPECT_LE(scan.ranges[i], high + 0.03) << i;
    }
    EXPECT_GT(readings, scan.ranges.size() * 9 / 10);
}

TEST(ScanMakerTest, SeesTheRoomFromTheEndOfTheTurn) {
    for (const auto& [right, left] :
         {std::pair(0.0, 0.0), std::pair(0.5, 0.5), std::pair(0.1, -0.1), std::pair(0.2, 0.4)}) {
        const auto [scan, pose] = scan_of_drive(right, left, {});
        expect_room(scan, pose);
    }
}

TEST(ScanMakerTest, SeesItFromItsPlaceOnTheRobotAndUpsideDown) {
    const LidarMount mount{.pose = {0.1, -0.05, 2.0}, .upside_down = true};
    const auto [scan, pose] = scan_of_drive(0.3, -0.2, mount);
    expect_room(scan, composed(pose, mount.pose));
}

TEST(ScanMakerTest, LeavesOutTheTurnInWhichItBegan) {
    const OdometryTrail trail(wheel_base, tick);
    ScanMaker maker({}, trail);
    for (int i = 0; i < 300; ++i) maker.add({0.02 * i, 1.0, Instant(1s)});
    maker.end_turn();
    EXPECT_EQ(maker.scan(), nullptr);
    for (int i = 0; i < 300; ++i) maker.add({0.02 * i, 1.0, Instant(2s)});
    maker.end_turn();
    ASSERT_NE(maker.scan(), nullptr);
    EXPECT_EQ(maker.ended(), Instant(2s));
    maker.restart();
    EXPECT_EQ(maker.scan(), nullptr);
}

TEST(ScanMakerTest, HasNoReadingWhereThereIsNoEcho) {
    const OdometryTrail trail(wheel_base, tick);
    ScanMaker maker({}, trail);
    maker.end_turn();
    for (int i = 0; i < 360; ++i)
        maker.add({i * pi / 180.0, i < 180 ? 1.0 : std::numeric_limits<double>::quiet_NaN(), Instant(1s)});
    maker.end_turn();
    EXPECT_TRUE(std::isnan(maker.scan()->ranges[90])) << "on the left, counterclockwise";
    EXPECT_FLOAT_EQ(maker.scan()->ranges[270], 1.0F);
}

}  // namespace
}  // namespace caribou::devices
