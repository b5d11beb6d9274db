// t30: negotiated topics. Needs no broker: `t30_negotiated_topics`.
//
// A robot can publish its scan in full or quantized. It declares the cost of each, subscribers declare their
// preferences, and the smallest set of encodings that serves all of them is published. Here a second
// subscriber joins, and the robot switches over without a gap.

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

// A supported type is a message and the name of an encoding.
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
        // Only negotiated types need to be created.
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

    // The dashboard only accepts quantized scans, which the recorder accepts, too.
    NegotiatedSubscription dashboard(loop, topics, "/scan");
    if (!dashboard.add_supported_callback<Quantised>(1, {}, hear("the dashboard")) || !dashboard.start())
        return 1;
    loop.advance(100ms);
    scan("a door");

    std::printf("%s", robot.report_text().c_str());
    return heard == 3 && robot.result().negotiated_topics.size() == 1 ? 0 : 1;
}
