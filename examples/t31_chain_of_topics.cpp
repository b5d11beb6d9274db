// t31: a chain of negotiated topics, with a type of your own. Needs no broker: `t31_chain_of_topics`.
//
// A filter between a sensor and its subscribers: it subscribes to what its own subscribers want, and offers
// only what it receives. Within the process readings are passed without copying; an adapter converts them to
// a ROS 2 message for other processes.

#include <cstdio>
#include <memory>

#include "loop/virtual_loop.hpp"
#include "msg/std_msgs/float64.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/negotiated_subscription.hpp"

using namespace caribou;
using namespace caribou::negotiation;
using namespace std::chrono_literals;

struct Reading {
    double metres = 0;
};

template <>
struct caribou::negotiation::TypeAdapter<Reading> {
    using Message = msg::std_msgs::Float64;
    static Message to_message(const Reading& reading) { return {reading.metres}; }
    static Reading from_message(const Message& message) { return {message.data}; }
};

namespace {

struct Raw {
    using MsgT = Reading;
    static constexpr std::string_view supported_type_name = "raw";
};
struct Smooth {
    using MsgT = Reading;
    static constexpr std::string_view supported_type_name = "smooth";
};

}  // namespace

int main() {
    VirtualLoop loop;
    InProcessTransport topics(loop);
    NegotiatedPublisher sensor(loop, topics, "/range");
    if (!sensor.add_supported_type<Raw>(1) || !sensor.start()) return 1;

    // The filter converts raw readings to smooth ones.
    NegotiatedPublisher filtered(loop, topics, "/filtered");
    double mean = 0;
    NegotiatedSubscription input(loop, topics, "/range");
    const auto filter = [&](const Reading& reading) {
        mean = 0.5 * mean + 0.5 * reading.metres;
        static_cast<void>(filtered.publish<Smooth>(std::make_unique<Reading>(Reading{mean})));
    };
    const Mapping makes_smooth_of_raw = [](const TypeKey& from, const TypeKey& to) {
        return from.supported_type_name == "raw" && to.supported_type_name == "smooth";
    };
    if (!filtered.add_supported_type<Smooth>(1) || !input.add_supported_callback<Raw>(1, {}, filter) ||
        !filtered.add_upstream_negotiated_subscription(input, makes_smooth_of_raw) || !filtered.start() ||
        !input.start())
        return 1;
    loop.advance(100ms);
    std::printf("nobody listens, so the sensor rests: %s\n",
                sensor.type_was_negotiated<Raw>() ? "no" : "yes");
    if (sensor.type_was_negotiated<Raw>()) return 1;

    NegotiatedSubscription pilot(loop, topics, "/filtered");
    double heard = 0;
    const auto hear = [&](const Reading& reading) {
        std::printf("the pilot hears %.2f m\n", heard = reading.metres);
    };
    if (!pilot.add_supported_callback<Smooth>(1, {}, hear) || !pilot.start()) return 1;
    loop.advance(100ms);
    for (const double metres : {4.0, 4.0, 4.0}) {
        if (sensor.publish<Raw>(std::make_unique<Reading>(Reading{metres})) != Published::sent) return 1;
        loop.advance(10ms);
    }
    return heard == 3.5 ? 0 : 1;
}
