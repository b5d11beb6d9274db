#include "driver/frame.hpp"

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.hpp>

#include "driver/driver_rig.hpp"

namespace caribou::driver {
namespace {

using testing::HasSubstr;

std::string hex_of(ByteView bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
    return text;
}

std::map<std::string, DriverMessage> samples() {
    Hello hello = DriverRig::hello();
    hello.sensors.resize(3);
    return {{"hello", hello},
            {"state", State{.seq = 7,
                            .time_us = 123456789,
                            .ordered_left = 0.25,
                            .ordered_right = -0.5,
                            .motor_fault = "hot",
                            .has_encoders = true,
                            .left_ticks = -3,
                            .right_ticks = 5'000'000'000,
                            .switches = {State::SET, State::NO_READING},
                            .ranges = {1.5F, 0.25F},
                            .has_imu = true,
                            .yaw_rate = 0.125,
                            .acceleration = -1,
                            .tilt = 0.5,
                            .has_battery = true,
                            .level = 0.75,
                            .volts = 12,
                            .amperes = -2,
                            .has_charger = true,
                            .contact = true,
                            .charging_amperes = 1.5}},
            {"scan", Scan{.first_angle = 0.5, .angle_step = 0.25, .ranges = {1, 2, 3}}},
            {"sights",
             Sights{.valid = true, .cubes = {{{1, 2, 0}, "blue"}}, .sees_dock = true, .dock = {3, 4, 0.5}}},
            {"log", LogLine{.level = LogLine::WARNING, .text = "low voltage"}},
            {"order", Order{.seq = 8, .enabled = true, .left = 0.25, .right = 0.5}},
            {"lights", Lights{Lights::ALARM}},
            {"power", Power{9, false}},
            {"bye", Bye{"the robot ends"}},
            {"attach", Attach{"rover"}}};
}

TEST(DriverFrame, HasTheBytesOfTheGoldenFile) {
    std::ifstream file(tests::in_repository("tests/golden/driver/frames.txt"));
    std::map<std::string, std::string> golden;
    for (std::string name, bytes; file >> name >> bytes;) golden[name] = bytes;
    const auto all = samples();
    EXPECT_EQ(golden.size(), all.size());
    for (const auto& [name, message] : all) EXPECT_EQ(hex_of(frame_of(message)), golden[name]) << name;
}

TEST(DriverFrame, IsReadAsItWasWrittenHoweverTheBytesArrive) {
    Bytes stream;
    for (const auto& [name, message] : samples()) append(stream, frame_of(message));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, stream.size()}) {
        DriverFrameReader reader;
        std::vector<DriverMessage> read;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.add(ByteView(stream).subspan(at, std::min(piece, stream.size() - at)));
            while (auto message = reader.next().value()) read.push_back(std::move(*message));
        }
        EXPECT_EQ(reader.kept(), 0U);
        std::vector<DriverMessage> expected;
        for (const auto& [name, message] : samples()) expected.push_back(message);
        EXPECT_EQ(read, expected) << piece;
    }
}

TEST(DriverFrame, IsRefusedIfItIsTooLongEmptyUnknownOrCut) {
    const auto error_of = [](const Bytes& bytes) {
        DriverFrameReader reader;
        reader.add(bytes);
        const auto message = reader.next();
        return message ? "none" : message.error().message;
    };
    Bytes long_one;
    append_le(long_one, static_cast<std::uint32_t>(DriverLimits::frame + 1));
    EXPECT_THAT(error_of(long_one), HasSubstr("limit frame reached"));
    EXPECT_THAT(error_of(Bytes(4)), HasSubstr("without a kind"));
    Bytes unknown = frame_of(Bye{});
    unknown[4] = std::byte{99};
    EXPECT_THAT(error_of(unknown), HasSubstr("unknown kind of frame 99"));
    Bytes cut = frame_of(Order{});
    cut.resize(cut.size() - 4);
    cut[0] = static_cast<std::byte>(cut.size() - 4);
    EXPECT_NE(error_of(cut), "none");
}

}  // namespace
}  // namespace caribou::driver
