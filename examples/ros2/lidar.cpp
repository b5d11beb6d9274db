// A negotiated publisher for nodes of ROS 2 on this machine, until Ctrl-C. `ros2 topic list` shows /lidar,
// and the encodings that subscribers have agreed on. Needs the component `dds`.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <tuple>

#include "adapters/dds/ros_node.hpp"
#include "msg/sensor_msgs/laser_scan.hpp"
#include "msg/sensor_msgs/range.hpp"
#include "negotiation/negotiated_publisher.hpp"

using namespace caribou;

struct Full {
    using MsgT = msg::sensor_msgs::LaserScan;
    static constexpr std::string_view supported_type_name = "full";
};
struct Nearest {
    using MsgT = msg::sensor_msgs::Range;
    static constexpr std::string_view supported_type_name = "nearest";
};

int main() {
    EventLoop loop;
    loop.stop_on_signals({SIGINT, SIGTERM});
    const auto participant = DdsParticipant::open({.name = "lidar"});  // in the domain of ROS_DOMAIN_ID
    if (!participant) return std::fprintf(stderr, "%s\n", participant.error().message.c_str()), 1;
    DdsTransport topics(**participant, loop);
    const auto node = RosNode::open(**participant, topics, loop, {.name = "lidar"});
    negotiation::NegotiatedPublisher lidar(loop, topics, "/lidar");
    if (!node || !lidar.add_supported_type<Full>(1) || !lidar.add_supported_type<Nearest>(2)) return 1;
    if (!lidar.start()) return 1;
    const std::unique_ptr<Timer> timer = loop.make_timer([&] {
        Full::MsgT scan;
        scan.ranges = {2, 1, 3};
        std::ignore = lidar.publish<Full>(scan);
        Nearest::MsgT nearest;
        nearest.range = std::ranges::min(scan.ranges);
        std::ignore = lidar.publish<Nearest>(nearest);
        timer->arm(loop.clock().now() + std::chrono::milliseconds(100));
    });
    timer->arm(loop.clock().now());
    loop.run();
}
