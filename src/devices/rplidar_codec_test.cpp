#include "devices/rplidar_codec.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "devices/hex_vectors.hpp"

namespace caribou::devices::rplidar {
namespace {

using testing::Contains;

template <class Reader>
auto all_in(Reader& reader) {
    std::vector<Point> points;
    while (const auto found = reader.next()) {
        if constexpr (std::is_same_v<Reader, NodeReader>)
            points.push_back(*found);
        else
            points.insert(points.end(), found->begin(), found->end());
    }
    return points;
}

template <class Reader>
std::vector<Point> points_in(const std::vector<Bytes>& pieces) {
    Reader reader;
    for (const Bytes& each : pieces) reader.add(each);
    return all_in(reader);
}

TEST(RplidarRequests, HaveTheBytesOfTheVectors) {
    const auto vectors = hex_vectors("rplidar_requests.hex");
    for (const Request each : {Request::stop, Request::reset, Request::scan, Request::info, Request::health})
        EXPECT_THAT(vectors, Contains(request(each)));
    EXPECT_THAT(vectors, Contains(express_scan()));
    EXPECT_THAT(vectors, Contains(motor_pwm(0)));
    EXPECT_THAT(vectors, Contains(motor_pwm(660)));
    EXPECT_THAT(vectors, Contains(request(Request::board_flags, Bytes(4))));
}

TEST(RplidarReplies, ReadTheVectors) {
    const auto vectors = hex_vectors("rplidar_replies.hex");
    const auto a1 = descriptor_in(vectors.at(0));
    ASSERT_TRUE(a1);
    EXPECT_EQ(a1->size, 20U);
    EXPECT_EQ(a1->type, static_cast<std::uint8_t>(Reply::info));
    EXPECT_FALSE(a1->endless);
    const Info info = info_in(ByteView(vectors[0]).subspan(Descriptor::wire_size));
    EXPECT_EQ(info.model, 0x18);
    EXPECT_EQ(info.series(), 1);
    EXPECT_EQ(info.firmware, 256 + 29);
    EXPECT_EQ(info_in(ByteView(vectors.at(1)).subspan(Descriptor::wire_size)).series(), 4);
    const auto nodes = descriptor_in(bytes_from({0xa5, 0x5a, 0x05, 0, 0, 0x40, 0x81}));
    ASSERT_TRUE(nodes);
    EXPECT_TRUE(nodes->endless);
    EXPECT_EQ(nodes->size, 5U);
    EXPECT_FALSE(descriptor_in(bytes_from({0xa5, 0x5a, 0x05, 0, 0, 0x40})));
}

TEST(RplidarNodes, ReadTheVectors) {
    auto vectors = hex_vectors("rplidar_scan_nodes.hex");
    ASSERT_EQ(vectors.size(), 8U);
    const std::vector<Bytes> single(vectors.begin(), vectors.begin() + 6);
    EXPECT_THAT(
        points_in<NodeReader>(single),
        testing::ElementsAre(Point{true, 0, 1000}, Point{false, 0.90625, 1000.25}, Point{false, 1.8125, 0},
                             Point{false, 90, 1500}, Point{false, 359.984375, 16383.75}));
    EXPECT_EQ(points_in<NodeReader>({vectors[6]}).size(), 39U) << "the last one waits for its successor";
    const auto lossy = points_in<NodeReader>({vectors[7]});
    EXPECT_EQ(lossy.size(), 38U);
    for (const Point& point : lossy) {
        const double i = point.degrees / 0.90625;
        EXPECT_NEAR(i, std::round(i), 1e-9);
        EXPECT_NEAR(point.mm, 1200 + 7 * i, 1e-9) << "no false one";
    }
}

TEST(RplidarCapsules, ReadTheVectors) {
    const auto vectors = hex_vectors("rplidar_express.hex");
    ASSERT_EQ(vectors.size(), 5U);
    const auto points = points_in<CapsuleReader>({vectors[0], vectors[1], vectors[2], vectors[3]});
    ASSERT_EQ(points.size(), 96U);
    EXPECT_EQ(points[0], (Point{false, 337.5, 1000}));
    EXPECT_EQ(points[1], (Point{false, 337.875, 1010}));
    EXPECT_EQ(points[31], (Point{false, 351.0, 1310}));
    EXPECT_EQ(points[32], (Point{false, 355.0, 1500}));
    EXPECT_EQ(points[40].begins_turn, true) << "356 degrees and eight steps of half a degree";
    EXPECT_EQ(points[63], (Point{false, 8.5, 1810}));
}

TEST(RplidarCapsules, LeaveOutWhatADamagedOneMakesUnknown) {
    const auto vectors = hex_vectors("rplidar_express.hex");
    EXPECT_TRUE(points_in<CapsuleReader>({vectors[0], vectors[4], vectors[2]}).empty());
    EXPECT_EQ(points_in<CapsuleReader>({vectors[0], vectors[4], vectors[2], vectors[3]}).size(), 32U);
}

RC_GTEST_PROP(RplidarCapsules, AreReadInAnyPieces, ()) {
    Bytes all;
    for (const Bytes& each : hex_vectors("rplidar_express.hex")) append(all, each);
    const auto whole = points_in<CapsuleReader>({all});
    CapsuleReader reader;
    std::vector<Point> points;
    while (!all.empty()) {
        const auto piece = std::min<std::size_t>(*rc::gen::inRange<std::size_t>(1, 120), all.size());
        reader.add(std::span(all).first(piece));
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(piece));
        for (const Point& point : all_in(reader)) points.push_back(point);
    }
    RC_ASSERT(points == whole);
}

}  // namespace
}  // namespace caribou::devices::rplidar
