// t30: negotiated topics. Needs no broker: `t30_negotiated_topics`.
//
// A robot can send its scan in full or quantised. It says what each costs it, who listens says what it
// likes, and the fewest encodings that serve all of them are published. Here a second listener joins and
// the robot changes over, without a gap.

#include <cstdio>
#include <string>

#include "loop/virtual_loop.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/negotiated_subscription.hpp"

using namespace caribou;
using namespace caribou::negotiation;
using namespace std::chrono_literals;
using msg::std_msgs::String;

namespace {

// A supported type is a message and a word on what is in it.
struct Full {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "full";
};
struct Quantised {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "quantised";
};

}  // namespace

int main() {
    VirtualLoop loop;                 // on a robot: the EventLoop of platform
    InProcessTransport topics(loop);  // between processes: BusTransport, or DDS
    int heard = 0;
    const auto hear = [&](const char* who) {
        return [&heard, who](const String& scan) {
            ++heard;
            std::printf("  %s hears: %s\n", who, scan.data.c_str());
        };
    };

    NegotiatedPublisher robot(loop, topics, "/scan");
    if (!robot.add_supported_type<Full>(0) || !robot.add_supported_type<Quantised>(2) || !robot.start())
        return 1;
    const auto scan = [&](const char* what) {
        // Only what is negotiated is worth making.
        if (robot.type_was_negotiated<Full>())
            static_cast<void>(robot.publish<Full>(String{what + std::string(", in full")}));
        if (robot.type_was_negotiated<Quantised>())
            static_cast<void>(robot.publish<Quantised>(String{what + std::string(", quantised")}));
        loop.advance(100ms);
    };

    NegotiatedSubscription recorder(loop, topics, "/scan");
    if (!recorder.add_supported_callback<Full>(9, {}, hear("the recorder")) ||
        !recorder.add_supported_callback<Quantised>(1, {}, hear("the recorder")) || !recorder.start())
        return 1;
    loop.advance(100ms);
    scan("a wall");

    // The dashboard takes nothing but quantised scans, which suit the recorder, too.
    NegotiatedSubscription dashboard(loop, topics, "/scan");
    if (!dashboard.add_supported_callback<Quantised>(1, {}, hear("the dashboard")) || !dashboard.start())
        return 1;
    loop.advance(100ms);
    scan("a door");

    std::printf("%s", to_text(robot.report()).c_str());
    return heard == 3 && robot.result().negotiated_topics.size() == 1 ? 0 : 1;
}
