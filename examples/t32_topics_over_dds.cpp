// t32: a negotiated topic over DDS, on this machine: `t32_topics_over_dds`.
//
// ROS 2 nodes in the same domain see ordinary topics: `ros2 topic list` shows one for each negotiated
// encoding. Needs the component `dds`.

#include <cstdio>

#include "adapters/dds/dds_transport.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "platform/event_loop.hpp"

using namespace caribou;
using namespace std::chrono_literals;
using msg::std_msgs::String;

namespace {

struct Words {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "words";
};

}  // namespace

int main() {
    EventLoop loop;
    const auto participant = DdsParticipant::open({.name = "t32"});
    if (!participant) return std::fprintf(stderr, "%s\n", participant.error().message.c_str()), 1;
    DdsTransport topics(**participant, loop);

    negotiation::NegotiatedPublisher robot(loop, topics, "/t32/words");
    if (!robot.add_supported_type<Words>(0) || !robot.start()) return 1;
    int heard = 0;
    negotiation::NegotiatedSubscription listener(loop, topics, "/t32/words");
    const auto hear = [&](const String& words) {
        heard += std::printf("heard: %s\n", words.data.c_str()) > 0;
    };
    if (!listener.add_supported_callback<Words>(1, {}, hear) || !listener.start()) return 1;

    // Like a sensor: the latest value at regular times. Who has joined meanwhile hears the next one.
    const std::unique_ptr<Timer> ticks = loop.make_timer([&] {
        if (!robot.publish<Words>(String{"hello over DDS"})) std::puts("nobody listens yet");
        ticks->arm(loop.clock().now() + 100ms);
    });
    ticks->arm(loop.clock().now());
    return loop.run_until([&] { return heard > 0; }, 10s) ? 0 : 2;
}
