#include "devices/ld_lidar.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "devices/hex_vectors.hpp"
#include "devices/simulated_ld19.hpp"

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;

constexpr double degree = std::numbers::pi / 180.0;

std::vector<ld::Frame> frames_in(ByteView bytes) {
    ld::FrameReader reader;
    reader.add(bytes);
    std::vector<ld::Frame> all;
    while (const auto frame = reader.next()) all.push_back(*frame);
    return all;
}

/// Keeps all points, and where turns ended.
class PointList final : public PointSink {
public:
    void add(const LidarPoint& point) override { points.push_back(point); }
    void end_turn() override { turns.push_back(points.size()); }

    std::vector<LidarPoint> points;
    std::vector<std::size_t> turns;
};

TEST(LdFrame, ReadsTheVectors) {
    const auto vectors = hex_vectors("ld06_frames.hex");
    ASSERT_EQ(vectors.size(), 7U);
    const auto manual = frames_in(vectors[0]);
    ASSERT_EQ(manual.size(), 1U);
    EXPECT_EQ(manual[0].speed, 2152);
    EXPECT_EQ(manual[0].stamp, 6714);
    EXPECT_NEAR(manual[0].angle(0), 324.27, 1e-9);
    EXPECT_NEAR(manual[0].angle(11), 334.70, 1e-9);
    EXPECT_EQ(manual[0].points[1], (ld::Frame::Point{220, 226}));
    const auto wrapping = frames_in(vectors[2]);
    ASSERT_EQ(wrapping.size(), 1U);
    EXPECT_NEAR(wrapping[0].angle(6), 0.40, 1e-9);
    EXPECT_NEAR(wrapping[0].span(), 8.8, 1e-9);
    EXPECT_TRUE(frames_in(vectors[5]).empty()) << "a wrong checksum";
    const auto after_noise = frames_in(vectors[6]);
    ASSERT_EQ(after_noise.size(), 1U);
    EXPECT_EQ(after_noise[0].points[3].distance, 1030);
}

RC_GTEST_PROP(LdFrame, IsFoundInAnyNoiseAndInAnyPieces, (std::vector<std::uint8_t> noise)) {
    Bytes bytes;
    for (const std::uint8_t each : noise) bytes.push_back(static_cast<std::byte>(each));
    // So much that a false header at its end does not wait for more.
    for (int i = 0; i < 3; ++i) append(bytes, hex_vectors("ld06_frames.hex")[1]);
    ld::FrameReader reader;
    std::size_t found = 0;
    while (!bytes.empty()) {
        const auto piece = std::min<std::size_t>(*rc::gen::inRange<std::size_t>(1, 60), bytes.size());
        reader.add(std::span(bytes).first(piece));
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(piece));
        while (reader.next()) ++found;
    }
    RC_ASSERT(found >= 2U);
    RC_ASSERT(found <= 3U);
}

TEST(LdLidarTest, GivesTheRoomOfTheVectorsInOneTurn) {
    PointList list;
    LdLidar lidar(list);
    lidar.begin({});
    Instant now{1s};
    for (int turn = 0; turn < 2; ++turn)
        for (const Bytes& frame : hex_vectors("ld06_revolution.hex")) lidar.on_bytes(frame, now += 2667us);
    ASSERT_EQ(list.turns.size(), 2U) << "the last frame of the file begins the next turn";
    for (std::size_t i = 0; i < list.turns.front(); ++i) {
        const LidarPoint& point = list.points[i];
        const double ahead = 2.0 / std::abs(std::cos(point.clockwise));
        const double aside = 1.5 / std::abs(std::sin(point.clockwise));
        EXPECT_NEAR(point.range, std::min(ahead, aside), 0.002) << point.clockwise / degree;
    }
}

TEST(LdLidarTest, GivesNoReadingForPointsWithoutAnEchoOrOutOfReach) {
    PointList list;
    LdLidar lidar(list);
    lidar.begin({});
    lidar.on_bytes(hex_vectors("ld06_frames.hex")[3], Instant(1s));
    ASSERT_EQ(list.points.size(), 12U);
    std::vector<double> ranges;
    for (const LidarPoint& point : list.points)
        if (!std::isnan(point.range)) ranges.push_back(point.range);
    EXPECT_THAT(ranges, testing::ElementsAre(1.5, 1.502, 12.0, 0.03, 1.51, 1.512));
}

TEST(LdLidarTest, StampsPointsByTheDeviceThroughItsWrapAndLateReads) {
    PointList list;
    LdLidar lidar(list);
    SimulatedLd19 device([](double) { return 1000.0; });
    lidar.begin({});
    Instant now{100s};
    for (int i = 0; i < 200; ++i) {
        now += 10ms;
        // The first read is in time; of the later ones many come in one block.
        const Bytes sent = device.advance(10ms);
        static Bytes late;
        append(late, sent);
        if (i < 5 || i % 10 == 0) lidar.on_bytes(std::exchange(late, {}), now);
    }
    ASSERT_GT(list.points.size(), 7000U);
    for (std::size_t i = 1; i < list.points.size(); ++i) {
        const double step = to_seconds(list.points[i].at - list.points[i - 1].at);
        EXPECT_NEAR(step, 1.0 / LdLidar::points_per_second, 0.0021) << i;
    }
}

TEST(LdLidarTest, LeavesOutFramesThatWereMeasuredWhileTheMotorStands) {
    PointList list;
    LdLidar lidar(list);
    lidar.begin({});
    Bytes standing = hex_vectors("ld06_frames.hex")[1];
    standing[2] = standing[3] = std::byte{0};
    standing.back() = static_cast<std::byte>(ld::checksum(std::span(standing).first(46)));
    lidar.on_bytes(standing, Instant(1s));
    EXPECT_TRUE(list.points.empty());
}

}  // namespace
}  // namespace caribou::devices
