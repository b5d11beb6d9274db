#include "cubes/cube_message.hpp"
#include <test_paths.hpp>

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::cubes {
namespace {

Bytes from_hex(const std::string& hex) {
    Bytes bytes;
    std::istringstream words(hex);
    for (unsigned value = 0; words >> std::hex >> value;) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

TEST(CubeMessage, ReadsAndWritesTheGoldenBytes) {
    std::ifstream golden(tests::in_repository("tests/golden/cubes/messages.txt"));
    std::size_t count = 0;
    for (std::string line; std::getline(golden, line);) {
        if (line.starts_with('#')) continue;
        const Bytes bytes = from_hex(line.substr(0, line.find(" : ")));
        const auto message = decode(bytes);
        ASSERT_TRUE(message) << line;
        EXPECT_EQ(describe(*message), line.substr(line.find(" : ") + 3));
        EXPECT_EQ(encode(*message), bytes) << line;
        EXPECT_EQ(message->index(), count) << "the tag is the place in the variant";
        ++count;
    }
    EXPECT_EQ(count, std::variant_size_v<CubeMessage>);
}

TEST(CubeMessage, KnowsItsFields) {
    EXPECT_EQ(decode(from_hex("00 01 05 06 07 08")), CubeMessage(LightSequence{1, {5, 6, 7, 8}}));
    const auto keyframes = decode(from_hex("01 09 01 02 03 04 05 06 11 12 13 14 15 16 21 22 23 24 25 26"));
    EXPECT_EQ(keyframes, CubeMessage(LightKeyframes{
                             9, {{{1, 2, 3, 4, 5, 6}, {17, 18, 19, 20, 21, 22}, {33, 34, 35, 36, 37, 38}}}}));
    EXPECT_EQ(decode(from_hex("02 07 01 00 ff ff 00 80 00 00 00 00 00 00 00 00 00 00 ff 7f")),
              CubeMessage(Acceleration{7, {{{1, -1, -32768}, {0, 0, 0}, {0, 0, 32767}}}}));
    EXPECT_EQ(decode(from_hex("03 2a")), CubeMessage(AccelerometerFailure{42}));
    EXPECT_EQ(decode(from_hex("04 99 34 12")), CubeMessage(Voltage{0x1234})) << "the second byte is unused";
}

TEST(CubeMessage, HasUnits) {
    EXPECT_DOUBLE_EQ(to_acceleration(32767), 4 * 9.81);
    EXPECT_DOUBLE_EQ(to_volts({1024}), 3.6);
}

TEST(CubeMessage, RefusesWhatIsNone) {
    EXPECT_EQ(decode({}).error().message, "a message of a cube has a tag, and this one is empty");
    EXPECT_EQ(decode(from_hex("05 00")).error().message, "tag 5 is none of a cube's; they are 0 to 4");
    EXPECT_EQ(decode(from_hex("04 00 01")).error().message, "voltage has 4 bytes, not 3");
    EXPECT_EQ(decode(from_hex("03 00 01")).error().code, Code::malformed);
}

RC_GTEST_PROP(CubeMessage, SurvivesTheAir, ()) {
    const auto byte = [] { return *rc::gen::arbitrary<std::uint8_t>(); };
    const auto word = [] { return *rc::gen::arbitrary<std::int16_t>(); };
    LightKeyframes keyframes{byte(), {}};
    for (auto& k : keyframes.keyframes) k = {byte(), byte(), byte(), byte(), byte(), byte()};
    Acceleration acceleration{byte(), {}};
    for (auto& sample : acceleration.samples) sample = {word(), word(), word()};
    const CubeMessage message = *rc::gen::element<CubeMessage>(
        LightSequence{byte(), {byte(), byte(), byte(), byte()}}, keyframes, acceleration,
        AccelerometerFailure{byte()}, Voltage{static_cast<std::uint16_t>(word())});
    const bool is_same = decode(encode(message)) == message;
    RC_ASSERT(is_same);
}

}  // namespace
}  // namespace caribou::cubes
