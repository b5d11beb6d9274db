// Packets of real programs at a time warp of 10, replayed to our broker: its answers must equal those of the
// original, and a broker at another warp must report the programs.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "bus/broker_rig.hpp"
#include "bus/warp_check.hpp"

namespace caribou::bus {
namespace {

using testing::HasSubstr;
using testing::Not;

struct WarpSegment {
    bool from_client;
    double real;  ///< UNIX time of the capture
    std::vector<wire::Message> messages;
    Bytes bytes;
};

std::vector<wire::Message> messages_in(ByteView packet) {
    std::vector<wire::Message> all;
    wire::PacketReader reader(64_MiB);
    using Kind = wire::PacketReader::Step::Kind;
    for (auto step = reader.next(packet); step && step->kind != Kind::need_more; step = reader.next(packet)) {
        if (step->kind == Kind::message) all.push_back(wire::own(step->message));
        packet = packet.subspan(step->consumed);
    }
    return all;
}

std::vector<WarpSegment> segments_of(const std::string& program) {
    std::ifstream file(tests::in_repository("tests/golden/moos-warp/warp10_") + program + ".hex");
    std::vector<WarpSegment> all;
    WarpSegment described{};
    for (std::string line; std::getline(file, line);) {
        if (const auto at = line.find(" at real "); line.starts_with('#') && at != std::string::npos) {
            described = {line.starts_with("# c2db"), std::stod(line.substr(at + 9)), {}, {}};
        } else if (!line.starts_with('#')) {
            for (std::size_t i = 0; i + 1 < line.size(); i += 2)
                described.bytes.push_back(static_cast<std::byte>(std::stoi(line.substr(i, 2), nullptr, 16)));
            described.messages = messages_in(described.bytes);
            all.push_back(described);
        }
    }
    check(all.size() >= 3, "the golden file is there");
    std::ranges::sort(all, {}, &WarpSegment::real);
    return all;
}

const wire::Message* first_of(const std::vector<wire::Message>& all, wire::MessageType type) {
    const auto found = std::ranges::find(all, type, &wire::Message::type);
    return found == all.end() ? nullptr : &*found;
}

class WarpGolden : public testing::TestWithParam<const char*> {
protected:
    static constexpr double warp = 10;

    /// Replays the program's packets and returns the broker's answers.
    std::vector<wire::Message> replay(BrokerRig& rig, double broker_warp) const {
        std::vector<wire::Message> answers;
        const ConnectionId id = rig.accept();
        rig.send(id, wire::greeting());
        for (const WarpSegment& segment : segments_of(GetParam())) {
            if (!segment.from_client) continue;
            rig.at.stamp = segment.real * broker_warp;
            rig.send(id, segment.bytes);
            for (auto& answer : rig.receive(id)) answers.push_back(std::move(answer));
        }
        // The next heartbeat.
        rig.send(id, BrokerRig::timing(rig.at.stamp / broker_warp * warp));
        return answers;
    }
    static BrokerOptions options(double warp_factor) {
        return {.community = "warpy", .hostname = "vm", .warp_factor = warp_factor};
    }
};

TEST_P(WarpGolden, AnswersAsTheOriginalDid) {
    BrokerRig rig(options(warp));
    const auto answers = replay(rig, warp);
    std::size_t compared = 0;
    for (const WarpSegment& captured : segments_of(GetParam())) {
        if (captured.from_client) continue;
        if (const auto* welcome = first_of(captured.messages, wire::MessageType::welcome)) {
            const auto* ours = first_of(answers, wire::MessageType::welcome);
            ASSERT_NE(ours, nullptr);
            // The original waits for at least 0.1 s (of warped time) before it answers.
            EXPECT_NEAR(ours->time, welcome->time, 0.25);
            EXPECT_NEAR(ours->value, welcome->value, 0.25);
            ++compared;
        }
        if (const auto* timing = first_of(captured.messages, wire::MessageType::timing))
            if (const auto* ours = first_of(answers, wire::MessageType::timing)) {
                EXPECT_EQ(ours->time, timing->time);
                EXPECT_NEAR(ours->value, timing->value, 0.1);
                EXPECT_EQ(ours->value2, timing->value2);
                ++compared;
            }
    }
    EXPECT_GE(compared, 1u);
    EXPECT_FALSE(rig.log.mentions("time warp"));
}

TEST_P(WarpGolden, IsReportedByABrokerWithoutWarp) {
    BrokerRig rig(options(1));
    rig.at.stamp = 1794780540;
    const ConnectionId watcher = rig.accept();
    rig.send(watcher, wire::greeting());
    wire::Message name = BrokerRig::name_message("watcher");
    name.time = rig.at.stamp;
    rig.send(watcher, name);
    rig.send(watcher, std::vector{BrokerRig::registration("DB_NOTICE"), BrokerRig::registration("DB_QOS")});
    rig.receive(watcher);
    replay(rig, 1);
    EXPECT_TRUE(rig.log.mentions("time warp 10"));
    rig.jump(std::chrono::seconds(3));
    std::string notices;
    std::string qos;
    for (const auto& message : rig.receive(watcher)) {
        if (message.key == "DB_NOTICE") notices += message.payload + "\n";
        if (message.key == "DB_QOS") qos += message.payload;
    }
    EXPECT_THAT(notices, HasSubstr(std::string("time_warp=") + GetParam()));
    EXPECT_EQ(std::ranges::count(notices, '\n'), 1) << notices;
    EXPECT_THAT(qos, Not(HasSubstr("e+1")));
}

INSTANTIATE_TEST_SUITE_P(Programs, WarpGolden,
                         testing::Values("pLogger", "pNodeReporter", "uSimMarineV22", "uTimerScript"),
                         [](const auto& program) { return std::string(program.param); });

TEST(WarpCheck, FindsWholeWarpsAndNoOthers) {
    constexpr double now = 1794780541.3;
    EXPECT_EQ(warp_of_stamp(now, now), 1);
    EXPECT_EQ(warp_of_stamp(now * 10 + 1000, now), 10);
    EXPECT_EQ(warp_of_stamp(now * 2, now), 2);
    EXPECT_EQ(warp_of_stamp(now * 1.89, now), 1) << "one of the clocks says 2000";
    EXPECT_EQ(warp_of_stamp(now, 12345), 1) << "our clock was never set";
    EXPECT_EQ(warp_of_stamp(-1, now), 1);
    EXPECT_EQ(warp_of_stamp(now, 0), 1);
}

TEST(WarpCheck, TellsWarpsApart) {
    constexpr double now = 1794780541.3;
    EXPECT_EQ(different_warp(now, now, 1), std::nullopt);
    EXPECT_EQ(different_warp(now * 10, now, 10), std::nullopt);
    EXPECT_NEAR(different_warp(now * 10, now, 1).value_or(0), 10, 1e-6);
    EXPECT_NEAR(different_warp(now, now, 10).value_or(0), 1, 1e-6);
    EXPECT_EQ(different_warp(-1, now, 1), std::nullopt);
    EXPECT_EQ(different_warp(86400, now, 1), std::nullopt) << "its clock was never set";
}

}  // namespace
}  // namespace caribou::bus
