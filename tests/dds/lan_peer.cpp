// One end of a topic on another machine, for tests/dds/lan_test.sh: `lan_peer say|hear DOMAIN INTERFACE`. One
// counts up on /lan ten times per second, the other prints what it receives, and which peers join and leave.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "adapters/dds/dds_transport.hpp"
#include "msg/std_msgs/int64.hpp"
#include "negotiation/typed_sample.hpp"

namespace {

using namespace caribou;
using msg::std_msgs::Int64;

const negotiation::Topic lan{"/lan", "std_msgs/msg/Int64"};

struct Ear final : negotiation::ReaderEvents, negotiation::WriterEvents {
    static void say(const char* what, long long number = 0) {
        std::printf("%s %lld\n", what, number);
        std::fflush(stdout);
    }
    void on_writer_joined(const negotiation::Peer&) override { say("joined"); }
    void on_writer_gone(const negotiation::Peer&) override { say("gone"); }
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        say("heard", (*negotiation::object_of<Int64>(sample))->data);
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    const int domain = std::atoi(arguments[2]);
    const auto participant =
        DdsParticipant::open({.domain = domain, .insecure_lan = true, .interface = arguments[3]});
    if (!participant) {
        std::fprintf(stderr, "%s\n", participant.error().message.c_str());
        return 1;
    }
    EventLoop loop;
    DdsTransport transport(**participant, loop);
    Ear ear;
    if (std::string_view(arguments[1]) == "hear") {
        const auto reader = transport.subscribe(lan, {}, ear);
        loop.run();
    }
    const auto writer = transport.advertise(lan, {.history = negotiation::History::keep_all}, ear);
    std::int64_t number = 0;
    Instant next = loop.clock().now();
    Timer* timer = nullptr;
    const auto ticker = loop.make_timer([&] {
        const auto sample =
            negotiation::make_sample(std::make_shared<const Int64>(Int64{++number}), loop.clock().wall());
        if (!(*writer)->write(sample)) --number;  // full: repeats the number
        timer->arm(next += std::chrono::milliseconds(100));
    });
    timer = ticker.get();
    timer->arm(next);
    loop.run();
}
