// Topics over DDS: the contract of a transport, and negotiation over it, between participants on the loopback
// interface.
#include "adapters/dds/dds_transport.hpp"

#include "dds/dds_rig.hpp"
#include "negotiation/chain_contract.hpp"
#include "negotiation/negotiation_contract.hpp"
#include "negotiation/transport_contract.hpp"
#include "robot/robot_views.hpp"
#include "station/view_reader.hpp"

namespace caribou::negotiation {
namespace {

using tests::DdsRig;

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
    reader.want({views::View::scan, views::View::health});
    ASSERT_TRUE(rig.run_until([&] { return reader.scan() && reader.text(views::View::health); }));
    EXPECT_EQ(reader.scan()->encoding, "delta");
    EXPECT_EQ(reader.scan()->content.ranges.size(), 3U);
    reader.want({});
    rig.settle();
    const int before = asked;
    rig.settle();
    EXPECT_EQ(asked, before) << "nobody reads any more";
}

}  // namespace
}  // namespace caribou::negotiation
