// Topics over DDS: the contract of a transport, and negotiation over it, between participants on the loopback
// interface.
#include "adapters/dds/dds_transport.hpp"

#include <test_paths.hpp>
#include "child/child_process.hpp"
#include "dds/dds_rig.hpp"
#include "negotiation/chain_contract.hpp"
#include "negotiation/negotiation_contract.hpp"
#include "negotiation/transport_contract.hpp"
#include "robot/robot_views.hpp"
#include "robot/ros_encodings.hpp"
#include "station/view_reader.hpp"

namespace caribou::negotiation {
namespace {

using tests::DdsRig;

template <class Message>
struct Latest final : ReaderEvents {
    void on_sample(const Peer&, const Sample& sample) override { message = **object_of<Message>(sample); }
    std::optional<Message> message;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Dds, TransportContract, DdsRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Dds, TransportLossContract, DdsRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Dds, NegotiationContract, DdsRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Dds, ChainContract, DdsRig);

TEST(DdsTransport, RefusesWhatRosCouldNotHave) {
    DdsRig rig;
    ReaderEar ear;
    EXPECT_THAT(rig.process(0).subscribe({"scan", "std_msgs/msg/String"}, {}, ear).error().message,
                testing::HasSubstr("it has to begin with /"));
    EXPECT_THAT(rig.process(0).subscribe({"/scan", "String"}, {}, ear).error().message,
                testing::HasSubstr("expected `package/msg/Name`"));
}

TEST(DdsTransport, CallsItsPeersByTheNamesOfTheirProcesses) {
    DdsRig rig;
    ReaderEar reader;
    WriterEar writer;
    reader.listen(rig.process(1), chatter);
    writer.speak(rig.process(0), chatter);
    ASSERT_TRUE(rig.run_until([&] { return !reader.joined.empty() && !writer.joined.empty(); }));
    EXPECT_EQ(reader.joined[0].name, "process 0");
    EXPECT_EQ(writer.joined[0].name, "process 1");
}

TEST(DdsTransport, LimitsHowManyWritersAndReadersThereAre) {
    DdsRig rig;
    ReaderEar ear;
    std::vector<std::unique_ptr<Reader>> readers;
    for (std::size_t i = 0; i < DdsTransport::max_endpoints; ++i) {
        auto reader = rig.process(0).subscribe(chatter, {}, ear);
        ASSERT_TRUE(reader.has_value()) << i << reader.error().message;
        readers.push_back(std::move(*reader));
    }
    EXPECT_EQ(rig.process(0).subscribe(chatter, {}, ear).error().code, Code::limit_exceeded);
    readers.pop_back();
    EXPECT_TRUE(rig.process(0).subscribe(chatter, {}, ear).has_value());
}

TEST(RobotViews, GoOverDdsAsOverASession) {
    DdsRig rig;
    LocalStrand strand(rig.loop());
    NullLog log;
    int asked = 0;
    robot::RobotViews shown(
        strand, rig.process(0), "rover-2",
        [&](const robot::ViewRequest& request, const robot::TellView& tell) {
            ++asked;
            if (request.view == views::View::health) return tell(std::string(R"({"threads":[]})"));
            if (request.view == views::View::topics)
                return tell(std::string("one does not match\nanother\n"));
            const auto seen = std::make_shared<const motion::LidarScan>();
            if (request.view == views::View::scan)
                return tell(robot::ScanPicture{seen, {.angle_step = 1, .reach = 8, .ranges = {1, 2, 3}}});
            tell({});
        },
        log);
    shown.start();
    rig.settle();
    EXPECT_EQ(asked, 0) << "nobody reads";
    station::ViewReader reader(rig.loop(), rig.process(1), "rover-2", [](views::View) {});
    reader.want({views::View::scan, views::View::health, views::View::topics});
    ASSERT_TRUE(rig.run_until([&] {
        return reader.scan() && reader.text(views::View::health) && reader.text(views::View::topics);
    }));
    EXPECT_THAT(reader.text(views::View::topics)->json,
                testing::HasSubstr(R"("mismatches":["one does not match","another"])"));
    EXPECT_EQ(reader.scan()->encoding, "delta");
    EXPECT_EQ(reader.scan()->content.ranges.size(), 3U);
    reader.want({});
    rig.settle();
    const int before = asked;
    rig.settle();
    EXPECT_EQ(asked, before) << "nobody reads any more";
}

/// CycloneDDS with generated types reads what a subscription has negotiated.
TEST(RobotViews, OfferOrdinaryMessagesOfRos) {
    DdsRig rig;
    std::uint64_t images = 0;
    LocalStrand strand(rig.loop());
    NullLog log;
    robot::RobotViews shown(
        strand, rig.process(0), "rover",
        [&](const robot::ViewRequest& request, const robot::TellView& tell) {
            if (request.view == views::View::map)
                return tell(robot::MapPicture{
                    1, {.x = -1, .cell = 0.5F, .columns = 2, .rows = 1, .cells = {-1, 100}}});
            const auto seen = std::make_shared<const motion::LidarScan>(motion::LidarScan{-1, 0.5, {1, 2}});
            if (request.view == views::View::scan)
                return tell(robot::ScanPicture{seen, {.reach = 8, .ranges = {1, 2}}});
            if (request.view == views::View::camera && request.camera.contains(views::CameraEncoding::full)) {
                robot::CameraPicture picture{.number = ++images, .images = {}};
                picture.images[0] = std::make_shared<const wire::CameraImage>(
                    wire::CameraImage{.time = 12.5, .jpeg = Bytes(100, std::byte{7}), .problem = {}});
                return tell(std::move(picture));
            }
            tell({});
        },
        log, {.map = "world", .laser = "beam"});
    shown.start();
    tests::ChildProcess peer{{tests::in_build("cyclone_echo"), std::to_string(rig.lease.domain()),
                              "sensor_msgs/msg/LaserScan", "rt/rover/scan/ros", "rt/back", "kept"}};
    Latest<robot::RosScan::MsgT> back;
    const auto reader = rig.process(1).subscribe({"/back", "sensor_msgs/msg/LaserScan"}, {}, back).value();
    NegotiatedSubscription scans(rig.loop(), rig.process(1), "/rover/scan");
    NegotiatedSubscription maps(rig.loop(), rig.process(1), "/rover/map");
    constexpr TopicQos kept{.durability = Durability::transient_local, .depth = 1};
    std::optional<robot::RosScan::MsgT> scan;
    std::optional<robot::RosGrid::MsgT> map;
    ASSERT_TRUE(scans.add_supported_callback<robot::RosScan>(
        1, kept, [&](const robot::RosScan::MsgT& one) { scan = one; }));
    ASSERT_TRUE(maps.add_supported_callback<robot::RosGrid>(
        1, kept, [&](const robot::RosGrid::MsgT& one) { map = one; }));
    NegotiatedSubscription cameras(rig.loop(), rig.process(1), "/rover/camera");
    std::optional<robot::RosCamera::MsgT> image;
    ASSERT_TRUE(cameras.add_supported_callback<robot::RosCamera>(
        1, views::camera_qos, [&](const robot::RosCamera::MsgT& one) { image = one; }));
    ASSERT_TRUE(scans.start() && maps.start() && cameras.start());
    ASSERT_TRUE(rig.run_until([&] { return scan && map && image && back.message; }));
    EXPECT_EQ(image->format, "jpeg");
    EXPECT_EQ(image->header.stamp, (msg::builtin_interfaces::Time{12, 500'000'000}));
    EXPECT_EQ(image->header.frame_id, "camera");
    EXPECT_EQ(image->data.size(), 100U);
    EXPECT_EQ(scan->header.frame_id, "beam");
    EXPECT_EQ(scan->ranges.size(), 2U);
    EXPECT_EQ(*back.message, *scan);
    EXPECT_EQ(map->header.frame_id, "world");
    EXPECT_EQ(map->info.width, 2U);
    EXPECT_EQ(map->data, (std::vector<std::int8_t>{-1, 100}));
}

}  // namespace
}  // namespace caribou::negotiation
