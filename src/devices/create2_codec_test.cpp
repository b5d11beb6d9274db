#include "devices/create2_codec.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "devices/hex_vectors.hpp"

namespace caribou::devices::create2 {
namespace {

using testing::Contains;

std::vector<Values> all_in(StreamReader& reader) {
    std::vector<Values> all;
    while (const auto values = reader.next()) all.push_back(*values);
    return all;
}

std::vector<Values> frames_in(ByteView bytes) {
    StreamReader reader;
    reader.add(bytes);
    return all_in(reader);
}

TEST(Create2Commands, HaveTheBytesOfTheVectors) {
    const auto vectors = hex_vectors("create2_commands.hex");
    ASSERT_GT(vectors.size(), 10U);
    EXPECT_THAT(vectors, Contains(command(Opcode::start)));
    EXPECT_THAT(vectors, Contains(command(Opcode::safe)));
    EXPECT_THAT(vectors, Contains(command(Opcode::full)));
    EXPECT_THAT(vectors, Contains(command(Opcode::stop)));
    EXPECT_THAT(vectors, Contains(drive_direct(150, 100)));
}

TEST(Create2Stream, ReadsTheVectors) {
    const auto vectors = hex_vectors("create2_stream.hex");
    ASSERT_EQ(vectors.size(), 5U);
    for (const std::size_t good : {std::size_t{0}, std::size_t{3}}) {
        const auto frames = frames_in(vectors[good]);
        ASSERT_EQ(frames.size(), 1U) << good;
        EXPECT_EQ(frames[0].at(packet::bumps), 2);
        EXPECT_EQ(frames[0].at(packet::encoder_left), 1000);
        EXPECT_EQ(frames[0].at(packet::encoder_right), -1000);
        EXPECT_EQ(frames[0].at(packet::mode), static_cast<int>(Mode::safe));
        EXPECT_EQ(frames[0].at(19), 19);
        EXPECT_FALSE(frames[0].has(packet::beam));
    }
    EXPECT_EQ(frames_in(vectors[1]).at(0).at(packet::encoder_left), 1011);
    EXPECT_TRUE(frames_in(vectors[2]).empty()) << "a wrong checksum";
    EXPECT_EQ(frames_in(vectors[4]).at(0).at(29), 537);
}

TEST(Create2Values, ReadTheVectorsOfQueriesAndOfGroup100) {
    const auto queries = hex_vectors("create2_query.hex");
    constexpr std::array<std::uint8_t, 3> asked = {packet::encoder_left, packet::encoder_right,
                                                   packet::bumps};
    const auto first = values_in(asked, queries.at(0));
    const auto second = values_in(asked, queries.at(1));
    ASSERT_TRUE(first && second);
    EncoderCount left;
    EncoderCount right;
    left.take(first->at(packet::encoder_left), 40);
    right.take(first->at(packet::encoder_right), 40);
    EXPECT_TRUE(left.take(second->at(packet::encoder_left), 40));
    EXPECT_TRUE(right.take(second->at(packet::encoder_right), 40));
    EXPECT_EQ(left.count(), 7);
    EXPECT_EQ(right.count(), 10);
    EXPECT_EQ(second->at(packet::bumps), 0x0c);

    std::vector<std::uint8_t> all(52);
    std::iota(all.begin(), all.end(), std::uint8_t{7});
    const auto group = values_in(all, hex_vectors("create2_group100.hex").at(0));
    ASSERT_TRUE(group) << "the sizes of all packets fit";
    EXPECT_EQ(group->at(packet::bumps), 5);
    EXPECT_EQ(group->at(packet::cliff_front_left), 1);
    EXPECT_EQ(group->at(packet::voltage), 15'230);
    EXPECT_EQ(group->at(packet::current), -412);
    EXPECT_EQ(group->at(24), 27);
    EXPECT_EQ(group->at(packet::charge), 2105);
    EXPECT_EQ(group->at(packet::capacity), 2696);
    EXPECT_EQ(group->at(packet::mode), 3);
    EXPECT_EQ(group->at(packet::encoder_left), -3);
    EXPECT_FALSE(values_in(all, ByteView(hex_vectors("create2_group100.hex").at(0)).first(79)));
}

TEST(Create2Encoders, TakeANewReferenceAfterAJump) {
    EncoderCount wheel;
    wheel.take(100, 40);
    EXPECT_TRUE(wheel.take(80, 40));
    EXPECT_FALSE(wheel.take(5000, 40));
    EXPECT_TRUE(wheel.take(5001, 40));
    EXPECT_EQ(wheel.count(), -19);
}

TEST(Create2Dock, BeamsAreThoseOfBothSeriesOfDocks) {
    EXPECT_EQ(dock_beams(173), (DockBeams{.force_field = true, .green = true, .red = true}));
    EXPECT_EQ(dock_beams(164), DockBeams{.green = true});
    EXPECT_EQ(dock_beams(250), (DockBeams{.force_field = true, .green = false, .red = true}));
    EXPECT_EQ(dock_beams(162), DockBeams{}) << "a virtual wall";
    EXPECT_EQ(dock_beams(130), DockBeams{}) << "a remote control";
}

RC_GTEST_PROP(Create2Stream, FindsAFrameInAnyNoiseAndInAnyPieces, (std::vector<std::uint8_t> noise)) {
    // A header in the noise may take up to 172 bytes along.
    std::erase(noise, std::uint8_t{0x13});
    const Bytes frame = hex_vectors("create2_stream.hex")[0];
    Bytes bytes;
    for (const std::uint8_t each : noise) bytes.push_back(static_cast<std::byte>(each));
    append(bytes, frame);
    StreamReader reader;
    std::size_t found = 0;
    while (!bytes.empty()) {
        const auto piece = std::min<std::size_t>(*rc::gen::inRange<std::size_t>(1, 9), bytes.size());
        reader.add(std::span(bytes).first(piece));
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(piece));
        found += all_in(reader).size();
    }
    RC_ASSERT(found == 1U);
    RC_ASSERT(reader.kept() == 0U);
}

RC_GTEST_PROP(Create2Encoders, CountAnyWayInBothDirections, (std::vector<std::int8_t> steps)) {
    EncoderCount wheel;
    std::int64_t truth = *rc::gen::inRange(-40'000, 40'000);
    const std::int64_t begun = truth;
    wheel.take(static_cast<int>(truth & 0xffff), 200);
    for (const std::int8_t step : steps) {
        truth += step;
        RC_ASSERT(wheel.take(static_cast<int>(truth & 0xffff), 200));
    }
    RC_ASSERT(wheel.count() == truth - begun);
}

}  // namespace
}  // namespace caribou::devices::create2
