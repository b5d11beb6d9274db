#include "link/message.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/frame_reader.hpp"
#include "link/golden_lines.hpp"

namespace caribou::link {
namespace {

Telemetry full_telemetry() {
    Telemetry t;
    t.number = 42;
    t.stamp = 1'767'225'600.5;
    t.run_mode = RunMode::rm1;
    t.waits_for = WaitReason::charging;
    t.com_mode = ComMode::cm3;
    t.movement_state = motion::MovementState::swiveling_left;
    t.movement_class = motion::MovementClass::swiv_left;
    t.stopped = true;
    t.right = {.level = 2, .speed = 0.25F};
    t.left = {.level = -2, .speed = -0.25F};
    t.winner = "operator";
    t.reason = "slowed: 0.4 m to an obstacle";
    t.pose = {.x = 1.5, .y = -2.25, .heading = 0.5};
    t.battery = {.level = 0.75F, .volts = 12.5F, .amperes = 1.5F, .on_charger = true};
    t.behavior = "explore";
    t.ranges = {{.bearing = 0, .distance = 1.25F}, {.bearing = 1.5F, .distance = 0.5F}};
    t.faults = {"encoder_disagreement"};
    t.ages = {{.sensor = "lidar", .seconds = 0.25}};
    t.stop_cause = "station";
    t.odom_in_map = {.x = 0.25, .y = -0.5, .heading = 0.125};
    t.boot_stamp = 123.5;
    t.period = 0.25F;
    return t;
}

const std::map<std::string, LinkMessage>& frames() {
    static const std::map<std::string, LinkMessage> all{
        {"auth", Auth{"station", Role::drive, "127.0.0.1:9600"}},
        {"welcome", Welcome{"cbot", Role::drive, 7}},
        {"goodbye", Goodbye{"the robot reboots"}},
        {"command", Command{{9}, CommandCode::move_forward, {{"level", "2"}, {"ttl", "300ms"}}}},
        {"answer_done", Answer::done({9})},
        {"answer_refused", Answer::refused({9}, {Refusal::wrong_mode, "it drives itself in RM2"})},
        {"heartbeat", Heartbeat{3, 1'767'225'600.5, 1'767'225'600.25}},
        {"topic_piece", TopicPiece{true, {std::byte{1}, std::byte{7}, {}, {}, {}}}}};
    return all;
}

const std::map<std::string, DatagramMessage>& datagrams() {
    static const std::map<std::string, DatagramMessage> all{{"telemetry", full_telemetry()},
                                                            {"connect_to_me", ConnectToMe{"cbot", 9601}},
                                                            {"error", ErrorReport{"the lidar is silent"}},
                                                            {"stop", StopNow{{9}}},
                                                            {"stop_answer", Answer::done({9})}};
    return all;
}

TEST(LinkMessage, StandsAsInTheGoldenFile) {
    const auto expected = golden_lines("messages.txt");
    ASSERT_EQ(expected.size(), frames().size() + datagrams().size() + 5);
    for (const auto& [name, message] : frames()) EXPECT_EQ(hex(frame_of(message)), expected.at(name)) << name;
    for (const auto& [name, message] : datagrams())
        EXPECT_EQ(hex(datagram_of(5, message)), expected.at(name)) << name;
}

TEST(LinkMessage, ReadsAsItWasWritten) {
    for (const auto& [name, message] : frames()) {
        const Bytes frame = frame_of(message);
        EXPECT_EQ(decode_frame(ByteView(frame).subspan(4)), message) << name;
    }
    for (const auto& [name, message] : datagrams()) {
        const auto packet = decode_datagram(datagram_of(5, message));
        ASSERT_TRUE(packet) << name;
        EXPECT_EQ(*packet, (Packet{5, message})) << name;
    }
}

TEST(LinkMessage, IsRefusedWhenCutAnywhere) {
    for (const auto& [name, message] : frames()) {
        const Bytes frame = frame_of(message);
        for (std::size_t size = 4; size < frame.size(); ++size)
            EXPECT_FALSE(decode_frame(ByteView(frame).subspan(4, size - 4))) << name << " " << size;
    }
    for (const auto& [name, message] : datagrams()) {
        const Bytes packet = datagram_of(5, message);
        for (std::size_t size = 0; size < packet.size(); ++size) {
            const std::size_t cut = packet.size() - size;
            // Without the block of added fields, or without map->odom, too.
            const bool ends_before_added_fields = name == "telemetry" && (cut == 31 || cut == 55);
            EXPECT_EQ(decode_datagram(ByteView(packet).first(size)).has_value(), ends_before_added_fields)
                << name << " " << size;
        }
    }
}

TEST(Telemetry, IsReadWithoutAndBeyondTheFieldsThatWereAdded) {
    const Bytes now = datagram_of(5, full_telemetry());
    Telemetry expected = full_telemetry();
    const auto expect_older = [&](std::size_t missing, const char* golden) {
        Bytes before = now;
        before.resize(now.size() - missing);
        EXPECT_EQ(hex(before), golden_lines("messages.txt").at(golden));
        const auto older = decode_datagram(before);
        ASSERT_TRUE(older) << golden;
        EXPECT_EQ(std::get<Telemetry>(older->message), expected) << golden;
    };
    const auto expect_shorter_block = [&](const char* golden) {
        const auto older = decode_datagram(unhex(golden_lines("messages.txt").at(golden)));
        ASSERT_TRUE(older) << golden;
        EXPECT_EQ(std::get<Telemetry>(older->message), expected) << golden;
    };
    expected.stop_cause.clear();
    expect_shorter_block("telemetry_without_stop_cause");
    expected.period = 0;
    expect_shorter_block("telemetry_without_period");
    expected.boot_stamp = 0;
    expect_older(31, "telemetry_without_boot");
    expected.odom_in_map = {};
    expect_older(55, "telemetry_without_map");

    Bytes after = now;
    after.resize(now.size() + 5);
    const auto newer = decode_datagram(after);
    ASSERT_TRUE(newer);
    EXPECT_EQ(std::get<Telemetry>(newer->message), full_telemetry());
}

TEST(Telemetry, CarriesAnUnknownBatteryAsNan) {
    Telemetry unknown = full_telemetry();
    unknown.battery = {.on_charger = true};
    const Bytes packet = datagram_of(5, unknown);
    EXPECT_EQ(hex(packet), golden_lines("messages.txt").at("telemetry_unknown_battery"));
    const auto read = decode_datagram(packet);
    ASSERT_TRUE(read);
    const data::Battery& battery = std::get<Telemetry>(read->message).battery;
    EXPECT_TRUE(std::isnan(battery.level) && std::isnan(battery.volts) && std::isnan(battery.amperes));
    EXPECT_TRUE(battery.on_charger);
    EXPECT_EQ(level_text(battery), "unknown");
    EXPECT_EQ(level_text(full_telemetry().battery), "75 %");
}

TEST(LinkMessage, TelemetryOfUnknownMotionIsHaltForOldStationsAndUnknownForOthers) {
    Telemetry sent = full_telemetry();
    sent.movement_class = motion::MovementClass::unknown;
    sent.reason = motion_unknown;
    Telemetry halted = sent;
    halted.movement_class = motion::MovementClass::halt;
    EXPECT_EQ(datagram_of(5, sent), datagram_of(5, halted));
    const auto packet = decode_datagram(datagram_of(5, sent));
    ASSERT_TRUE(packet.has_value());
    EXPECT_EQ(std::get<Telemetry>(packet->message).movement_class, motion::MovementClass::unknown);
}

TEST(LinkMessage, TruncatesTheTextOfAnAnswerInADatagram) {
    const auto packet = decode_datagram(datagram_of(5, Answer::done({9}, std::string(5000, 'x'))));
    ASSERT_TRUE(packet);
    EXPECT_EQ(std::get<Answer>(packet->message).text.size(), LinkLimits::error);
}

TEST(LinkMessage, OfAnotherVersionIsRefusedByBothNumbers) {
    Bytes frame = frame_of(Goodbye{"x"});
    frame[4] = std::byte{9};
    const auto message = decode_frame(ByteView(frame).subspan(4));
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().message, "expected version 1 of the link, found version 9");
}

TEST(Telemetry, FitsADatagramWhateverItHolds) {
    Telemetry huge = full_telemetry();
    huge.winner = huge.reason = huge.behavior = std::string(5000, 'x');
    huge.ranges.assign(1000, {.bearing = 100, .distance = 1e9F});
    huge.faults.assign(1000, std::string(1000, 'y'));
    huge.ages.assign(1000, {.sensor = std::string(100, 'z'), .seconds = 1e9});
    const Bytes packet = datagram_of(1, huge);
    EXPECT_LE(packet.size(), LinkLimits::datagram);
    const auto read = decode_datagram(packet);
    ASSERT_TRUE(read);
    const auto& telemetry = std::get<Telemetry>(read->message);
    EXPECT_EQ(telemetry.faults.size(), Telemetry::faults_limit);
    EXPECT_NEAR(telemetry.ranges.front().distance, 65.535, 1e-3);
}

TEST(Telemetry, CutsNoCharacterInTwo) {
    Telemetry t = full_telemetry();
    t.winner = "fifteen letters\xC3\xBC";
    const auto read = decode_datagram(datagram_of(1, t));
    ASSERT_TRUE(read);
    EXPECT_EQ(std::get<Telemetry>(read->message).winner, "fifteen letters");
}

TEST(FrameReader, CutsTheSameHoweverTheBytesCome) {
    Bytes stream;
    for (const auto& [name, message] : frames()) append(stream, frame_of(message));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, stream.size()}) {
        FrameReader reader;
        std::vector<LinkMessage> read;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.add(ByteView(stream).subspan(at, std::min(piece, stream.size() - at)));
            for (;;) {
                auto message = reader.next();
                ASSERT_TRUE(message) << message.error().message;
                if (!*message) break;
                read.push_back(std::move(**message));
            }
        }
        EXPECT_EQ(read.size(), frames().size());
        EXPECT_EQ(reader.kept(), 0U);
    }
}

TEST(FrameReader, RefusesAFrameBeyondTheLimitBeforeItHasCome) {
    FrameReader reader;
    Bytes length;
    append_le(length, std::uint32_t{LinkLimits::frame + 1});
    reader.add(length);
    const auto message = reader.next();
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().code, Code::limit_exceeded);
}

}  // namespace
}  // namespace caribou::link
