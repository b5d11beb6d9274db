#include <ctime>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "give_up.hpp"
#include "loop/virtual_loop.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation_figures.hpp"

namespace caribou::bench {
namespace {

using namespace negotiation;
using namespace std::chrono_literals;
using msg::std_msgs::String;

struct Full {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "full";
};
struct Small {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "small";
};

constexpr Seconds a_round{0.02};
constexpr int calls_per_look = 200;  // per check of the clock

template <class Once>
double nanoseconds_each(Seconds round, VirtualLoop& loop, Once once) {
    const SteadyTime began = now();
    double calls = 0;
    Seconds spent{};
    for (; spent < round; spent = now() - began, calls += calls_per_look) {
        for (int i = 0; i < calls_per_look; ++i) {
            once();
            loop.run_ready();
        }
        loop.advance(1us);
    }
    return spent.count() * 1e9 / calls;
}

void must(const auto& result) {
    if (!result) give_up(result.error().message);
}

/// A reader that uses the transport directly.
class PlainReader final : public ReaderEvents, public WriterEvents {
public:
    void on_sample(const Peer&, const Sample& sample) override {
        const auto message = object_of<String>(sample);
        must(message);
        heard += (*message)->data.size();
    }
    std::size_t heard = 0;
};

/// Forwards one topic to the next in the type in which it arrives.
struct Relay {
    Relay(VirtualLoop& loop, InProcessTransport& transport, int number)
        : in(loop, transport, "/" + std::to_string(number)),
          out(loop, transport, "/" + std::to_string(number + 1)) {
        pass<Full>();
        pass<Small>();
        must(out.add_upstream_negotiated_subscription(in));
        must(in.start());
        must(out.start());
    }
    template <class T>
    void pass() {
        must(out.add_supported_type<T>(0));
        must(in.add_supported_callback<T>(
            0, {}, [this](std::shared_ptr<const String> text) { must(out.publish<T>(std::move(text))); }));
    }
    NegotiatedSubscription in;
    NegotiatedPublisher out;
};

}  // namespace

void chain_lost(const Report& report, const Effort&) {
    VirtualLoop loop;
    InProcessTransport transport(loop);
    NegotiatedPublisher source(loop, transport, "/0");
    must(source.add_supported_type<Full>(0));
    must(source.add_supported_type<Small>(0));
    must(source.start());
    std::list<Relay> relays;
    for (int i = 0; i < 5; ++i) relays.emplace_back(loop, transport, i);
    NegotiatedSubscription steady(loop, transport, "/5");
    std::size_t heard = 0;
    const auto count = [&](const String&) { ++heard; };
    must(steady.add_supported_callback<Full>(1, {}, count));
    must(steady.add_supported_callback<Small>(2, {}, count));
    must(steady.start());
    loop.advance(1s);
    std::size_t sent = 0;
    const auto say = [&](int times) {
        for (int i = 0; i < times; ++i, ++sent) {
            if (source.type_was_negotiated<Full>()) must(source.publish<Full>(String{}));
            if (source.type_was_negotiated<Small>()) must(source.publish<Small>(String{}));
            loop.advance(1ms);
        }
    };
    for (int i = 0; i < 500; ++i) {
        NegotiatedSubscription picker(loop, transport, "/5");
        must(picker.add_supported_callback<Full>(9, {}, [](const String&) {}));
        must(picker.start());
        say(150);
        if (!source.type_was_negotiated<Full>()) give_up("the types do not change");
        must(picker.remove_supported_callback<Full>());
        must(picker.start());
        say(150);
        if (!source.type_was_negotiated<Small>()) give_up("the types do not change back");
    }
    loop.advance(1s);
    report.add({.metric = "chain_lost",
                .value = static_cast<double>(sent) - static_cast<double>(heard),
                .unit = "messages"});
}

void join_1000_ms(const Report& report, const Effort&) {
    std::vector<double> samples;
    for (int round = 0; round < 7; ++round) {
        VirtualLoop loop;
        InProcessTransport transport(loop);
        NegotiatedPublisher publisher(loop, transport, "/scan");
        must(publisher.add_supported_type<Full>(1));
        must(publisher.add_supported_type<Small>(2));
        must(publisher.start());
        const SteadyTime began = now();
        std::vector<std::unique_ptr<NegotiatedSubscription>> subscriptions;
        for (int i = 0; i < 1000; ++i) {
            auto& made = subscriptions.emplace_back(
                std::make_unique<NegotiatedSubscription>(loop, transport, "/scan"));
            must(made->add_supported_callback<Full>(1, {}, [](const String&) {}));
            if (i % 2 == 0) must(made->add_supported_callback<Small>(3, {}, [](const String&) {}));
            must(made->start());
            loop.advance(100us);
        }
        loop.advance(20ms);
        samples.push_back(Seconds(now() - began).count() * 1e3);
        if (publisher.count().results_sent > 13) give_up("more than one result was sent in 10 ms");
        for (const auto& made : subscriptions)
            if (made->state() != SubscriptionState::connected) give_up("somebody is not connected");
    }
    report.add({.metric = "join_1000_ms", .value = median(samples), .unit = "ms"});
}

void publish_ratio(const Report& report, const Effort& effort) {
    VirtualLoop loop;
    InProcessTransport transport(loop);
    PlainReader plain;
    const auto reader = transport.subscribe({"/plain", "std_msgs/msg/String"}, {}, plain);
    const auto writer = transport.advertise({"/plain", "std_msgs/msg/String"}, {}, plain);
    must(reader);
    must(writer);

    NegotiatedPublisher publisher(loop, transport, "/scan");
    must(publisher.add_supported_type<Full>(1));
    must(publisher.start());
    NegotiatedSubscription subscription(loop, transport, "/scan");
    std::size_t heard = 0;
    must(subscription.add_supported_callback<Full>(
        1, {}, [&](const String& message) { heard += message.data.size(); }));
    must(subscription.start());
    loop.advance(1s);

    const std::string text(64, 'x');
    const Pair pair = interleave(
        effort, a_round,
        [&](Seconds round) {
            return nanoseconds_each(round, loop, [&] {
                std::shared_ptr<const String> message = std::make_unique<String>(String{text});
                must((*writer)->write(make_sample(std::move(message), loop.clock().wall())));
            });
        },
        [&](Seconds round) {
            return nanoseconds_each(
                round, loop, [&] { must(publisher.publish<Full>(std::make_unique<String>(String{text}))); });
        });
    if (plain.heard == 0 || heard == 0) give_up("nothing was heard");
    report.add({.metric = "publish_ratio", .value = pair.value, .unit = "ns", .floor = pair.floor});
}

}  // namespace caribou::bench
