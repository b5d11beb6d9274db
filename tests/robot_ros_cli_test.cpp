// A real robot as a node of ROS 2, met by CycloneDDS with types of its own idlc (dds/cyclone_echo.cpp): what
// the peer could read comes back to the test under another name, and what drives goes through it, too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "dds/dds_rig.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/nav_msgs/odometry.hpp"
#include "msg/rmw_dds_common/participant_entities_info.hpp"
#include "msg/sensor_msgs/laser_scan.hpp"
#include "negotiation/typed_sample.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"
#include "robot/played_station.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using msg::geometry_msgs::Twist;
using msg::nav_msgs::Odometry;
using msg::rmw_dds_common::ParticipantEntitiesInfo;
using msg::sensor_msgs::LaserScan;

template <class Message>
std::string type_of() {
    return std::string(negotiation::ros_type_name<Message>);
}

template <class Message>
struct Ear final : negotiation::ReaderEvents {
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        latest = **negotiation::object_of<Message>(sample);
    }
    std::optional<Message> latest;
};
struct Mouth final : negotiation::WriterEvents {
    void on_reader_joined(const negotiation::Peer&) override { is_heard = true; }
    bool is_heard = false;
};

class RobotNodeProgram : public testing::Test {
protected:
    std::string config(const std::string& ros) const {
        return folder_.write(
            "robot.toml",
            fmt::format("ReceivePort = 0\nSendPort = {}\n[link]\nplain = true\n[ros]\nenabled = true\n"
                        "node = \"rover\"\ndomain = {}\n{}",
                        station_.address().port, rig_.lease.domain(), ros));
    }
    template <class Message>
    ChildProcess peer(const std::string& from, const std::string& to, bool kept = false) const {
        Words words{in_build("cyclone_echo"), std::to_string(rig_.lease.domain()), type_of<Message>(), from,
                    to};
        if (kept) words.emplace_back("kept");
        return ChildProcess(words);
    }
    template <class Message>
    std::unique_ptr<negotiation::Reader> listen(const std::string& topic, Ear<Message>& ear) {
        return rig_.process(0).subscribe({topic, type_of<Message>()}, {}, ear).value();
    }
    /// Dials as soon as the robot calls, so that it comes into RM3.
    bool meet() {
        if (!rig_.run_until([this] { return !station_.calls.empty(); })) return false;
        station_.dial(station_.calls.back().receive_port);
        return rig_.run_until([this] {
            return !station_.telemetry.empty() && station_.telemetry.back().run_mode == link::RunMode::rm3;
        });
    }

    DdsRig rig_;
    TemporaryFolder folder_;
    NullLog log_;
    SocketNetwork network_{rig_.event_loop, log_};
    robot::PlayedStation station_{rig_.event_loop, network_};
};

TEST_F(RobotNodeProgram, TellsAPeerAndIsDrivenByItUntilTheDeadMan) {
    const ChildProcess scans = peer<LaserScan>("rt/scan", "rt/scan_back");
    const ChildProcess odometry = peer<Odometry>("rt/odom", "rt/odom_back");
    const ChildProcess twists = peer<Twist>("rt/drive", "rt/cmd_vel");
    const ChildProcess nodes = peer<ParticipantEntitiesInfo>("ros_discovery_info", "rt/nodes", true);
    Ear<LaserScan> scan;
    Ear<Odometry> odom;
    Ear<ParticipantEntitiesInfo> node;
    const auto a = listen("/scan_back", scan);
    const auto b = listen("/odom_back", odom);
    const auto c = listen("/nodes", node);
    Mouth mouth;
    const auto writer = rig_.process(0).advertise({"/drive", type_of<Twist>()}, {}, mouth).value();
    ChildProcess program(command({"robot", "--config", config("cmd_vel = true\n")}));
    ASSERT_TRUE(meet());

    ASSERT_TRUE(rig_.run_until([&] { return scan.latest && odom.latest && node.latest && mouth.is_heard; }));
    EXPECT_EQ(scan.latest->header.frame_id, "laser");
    EXPECT_GT(scan.latest->ranges.size(), 100);
    EXPECT_EQ(odom.latest->header.frame_id, "odom");
    ASSERT_EQ(node.latest->node_entities_info_seq.size(), 1);
    EXPECT_EQ(node.latest->node_entities_info_seq[0].node_name, "rover");
    EXPECT_EQ(node.latest->node_entities_info_seq[0].node_namespace, "/");
    EXPECT_TRUE(rig_.run_until([&] {
        const auto& told = node.latest->node_entities_info_seq[0];
        return told.writer_gid_seq.size() == 7 && told.reader_gid_seq.size() == 1;
    }));

    Twist twist;
    twist.angular.z = 1;
    const auto sample = [&] {
        return negotiation::make_sample(std::make_shared<const Twist>(twist), rig_.loop().clock().wall());
    };
    std::unique_ptr<Timer> timer;
    const auto renew = [&] {
        std::ignore = writer->write(sample());
        timer->arm(rig_.loop().clock().now() + 100ms);
    };
    timer = rig_.loop().make_timer(renew);
    renew();
    ASSERT_TRUE(rig_.run_until([&] { return odom.latest->twist.twist.angular.z > 0.5; }));
    EXPECT_EQ(station_.telemetry.back().winner, "operator");
    timer->cancel();  // nobody renews it any more
    EXPECT_TRUE(rig_.run_until([&] { return odom.latest->twist.twist.angular.z == 0; }));
    EXPECT_TRUE(rig_.run_until([&] { return station_.telemetry.back().reason == "dead_man"; }));
    program.signal(SIGTERM);
    EXPECT_EQ(end_of(program).code, 0);
}

TEST_F(RobotNodeProgram, StaysOnThisMachineUnlessToldOtherwise) {
    const auto end = run({"robot", "--check-config", "--config", config("peers = [\"192.0.2.1\"]\n")});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, testing::HasSubstr(
                             "robot.toml:9: error: [ros] `interface` and `peers` lead off this machine"));
}

}  // namespace
}  // namespace caribou::tests
