// Our messages and transport against programs that know nothing of Caribou: CycloneDDS with types of its own
// idlc. What it reads into its structs and writes out of them again must come back byte by byte.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <csignal>
#include <set>

#include <test_paths.hpp>
#include "child/child_process.hpp"
#include "dds/dds_rig.hpp"
#include "msg/arbitrary_message.hpp"
#include "msg/counted_message.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using negotiation::Peer;
using negotiation::Sample;

std::string hex(ByteView bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
    return text;
}

/// Keeps the payloads that come back.
struct Ear final : negotiation::ReaderEvents, negotiation::WriterEvents {
    void on_reader_joined(const Peer&) override { ++readers; }
    void on_writer_joined(const Peer&) override { ++writers; }
    void on_writer_gone(const Peer&) override { --writers; }
    void on_sample(const Peer&, const Sample& sample) override { payloads.push_back(sample.bytes()); }

    int readers = 0;
    int writers = 0;
    std::vector<Bytes> payloads;
};

class CycloneEcho : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        ASSERT_EQ(peer_.read_line(20s), "ready");
        auto reader = rig_.process(0).subscribe({"/from_echo", GetParam()}, {}, ear_);
        ASSERT_TRUE(reader) << reader.error().message;
        reader_ = std::move(*reader);
        auto writer = rig_.process(0).advertise({"/to_echo", GetParam()}, {}, ear_);
        ASSERT_TRUE(writer) << writer.error().message;
        writer_ = std::move(*writer);
        // Only when both ends of both topics know of each other is nothing lost.
        const std::set<std::optional<std::string>> said{peer_.read_line(20s), peer_.read_line(20s)};
        ASSERT_THAT(said, testing::UnorderedElementsAre("1 readers", "1 writers"));
        ASSERT_TRUE(rig_.run_until([this] { return ear_.readers == 1 && ear_.writers == 1; }))
            << ear_.readers << " readers, " << ear_.writers << " writers";
    }

    /// What the peer makes of some bytes.
    Bytes echoed(const Bytes& payload) {
        const auto written =
            writer_->write(Sample(std::make_shared<const Bytes>(payload), rig_.loop().clock().wall()));
        check(written.has_value(), "the sample is taken");
        ear_.payloads.clear();
        check(rig_.run_until([this] { return !ear_.payloads.empty(); }), "the peer answers");
        return ear_.payloads.front();
    }

    tests::DdsRig rig_;
    tests::ChildProcess peer_{
        {tests::in_build("cyclone_echo"), std::to_string(rig_.lease.domain()), GetParam()}};
    Ear ear_;
    std::unique_ptr<negotiation::Reader> reader_;
    std::unique_ptr<negotiation::Writer> writer_;
    const msg::MessageSchema& schema_ = *msg::find_schema(GetParam());
};

TEST_P(CycloneEcho, GivesBackOurBytes) {
    EXPECT_TRUE(rc::check([&] {
        const Bytes payload = msg::encode_value(schema_, *msg::arbitrary_message(schema_));
        const Bytes back = echoed(payload);
        RC_ASSERT(hex(back) == hex(payload));
    }));
}

TEST_P(CycloneEcho, GivesBackTheGoldenMessages) {
    const Bytes payload = msg::encode_value(schema_, msg::CountedMessage(schema_).value());
    EXPECT_EQ(echoed(payload), payload)
        << "tests/golden/cdr/messages.txt would not be what CycloneDDS writes";
}

class CyclonePeer : public CycloneEcho {};

TEST_P(CyclonePeer, NoticesThatOurWriterGoes) {
    writer_.reset();
    EXPECT_EQ(peer_.read_line(20s), "0 writers");
}

TEST_P(CyclonePeer, IsMissedWhenItIsKilled) {
    peer_.signal(SIGKILL);
    EXPECT_TRUE(rig_.run_until([this] { return ear_.writers == 0; }));
}

INSTANTIATE_TEST_SUITE_P(Text, CyclonePeer, testing::Values("std_msgs/msg/String"));

INSTANTIATE_TEST_SUITE_P(
    Types, CycloneEcho,
    testing::Values("geometry_msgs/msg/Twist", "nav_msgs/msg/OccupancyGrid", "nav_msgs/msg/Odometry",
                    "negotiated_interfaces/msg/NegotiatedTopicsInfo",
                    "negotiated_interfaces/msg/SupportedTypes", "rmw_dds_common/msg/ParticipantEntitiesInfo",
                    "rmw_dds_common_humble/msg/ParticipantEntitiesInfo", "rosgraph_msgs/msg/Clock",
                    "sensor_msgs/msg/BatteryState", "sensor_msgs/msg/LaserScan", "sensor_msgs/msg/Range",
                    "std_msgs/msg/Bool", "std_msgs/msg/Empty", "std_msgs/msg/Float64", "std_msgs/msg/Int64",
                    "std_msgs/msg/String", "std_msgs/msg/UInt8MultiArray", "tf2_msgs/msg/TFMessage"),
    [](const auto& type) {
        std::string name = type.param;
        std::ranges::replace(name, '/', '_');
        return name;
    });

}  // namespace
}  // namespace caribou
