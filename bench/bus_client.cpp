#include "bus/client.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bus_figures.hpp"
#include "bus_raw_client.hpp"
#include "bus_servers.hpp"
#include "give_up.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bench {
namespace {

constexpr double warm_up = 0.2;  // share of a round that does not count
const std::string payload(payload_size, 'x');

/// Client and variable of one round.
std::string next_name() {
    static int rounds = 0;
    return fmt::format("ECHO_{:03}", ++rounds);
}

/// Collects the times of round trips.
class Trips {
public:
    explicit Trips(Seconds round) : begin_(now()), round_(round) {}

    void set_out() { set_out_ = now(); }
    /// False: that was the last one.
    bool returned() {
        const SteadyTime time = now();
        if (time > begin_ + round_ * warm_up) samples_.push_back(microseconds(time - set_out_));
        return time < begin_ + round_;
    }
    double p50() { return median(samples_); }

private:
    SteadyTime begin_;
    Seconds round_;
    SteadyTime set_out_{};
    std::vector<double> samples_;
};

/// What a program would do without a library: messages encoded into one buffer and sent at once,
/// a blocking read, and messages decoded where they stand.
class RawEcho {
public:
    RawEcho(const Target& broker, const std::string& name) : name_(name), client_(broker.port) {
        client_.join(name);
        client_.subscribe(name);
    }

    void send(std::size_t messages) {
        packet_.clear();
        wire::append_packet_header(packet_, 0, 0);
        for (std::size_t i = 0; i < messages; ++i)
            wire::append_message(packet_, {.type = wire::MessageType::notify,
                                           .data_type = wire::DataType::string,
                                           .source = name_,
                                           .key = name_,
                                           .time = to_unix_seconds(std::chrono::system_clock::now()),
                                           .payload = payload});
        wire::store_packet_header(packet_.data(), packet_.size() - wire::packet_header_size, messages);
        client_.send(packet_);
    }

    void receive(std::size_t messages) {
        std::size_t filled = 0;
        std::size_t used = 0;
        while (messages > 0) {
            filled += client_.connection().receive(std::span(room_).subspan(filled));
            for (bool more = true; more;) {
                const auto step = reader_.next(ByteView(room_).subspan(used, filled - used));
                if (!step) give_up(step.error().message);
                used += step->consumed;
                more = step->kind != wire::PacketReader::Step::Kind::need_more;
                if (step->kind == wire::PacketReader::Step::Kind::message) messages -= 1;
            }
        }
    }

private:
    std::string name_;
    RawClient client_;
    Bytes packet_;
    Bytes room_ = Bytes(256_KiB);
    wire::PacketReader reader_{64_KiB};
};

double raw_round_trip(const Target& broker, std::size_t messages, Seconds round) {
    RawEcho echo(broker, next_name());
    Trips trips(round);
    do {
        trips.set_out();
        echo.send(messages);
        echo.receive(messages);
    } while (trips.returned());
    return trips.p50();
}

double client_round_trip(const Target& broker, std::size_t messages, Seconds round) {
    const std::string name = next_name();
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    bus::Client client(loop, network, {.name = name, .broker = Address::ip("127.0.0.1", broker.port)});
    Trips trips(round);
    std::size_t awaited = 0;
    const auto send = [&] {
        trips.set_out();
        for (awaited = 0; awaited < messages; ++awaited)
            if (!client.notify(name, payload)) give_up("the client's outbox is full");
    };
    client.on_connected(send);
    client.on_mail(name, [&](const wire::MessageView&) {
        if (--awaited > 0) return;
        if (trips.returned())
            send();
        else
            loop.stop();
    });
    const auto watchdog = loop.make_timer([] { give_up("the client waits in vain: messages were lost"); });
    watchdog->arm(loop.clock().now() + from_seconds(round.count() + 5));
    if (!client.register_variable(name) || !client.start()) give_up("the client does not start");
    loop.run();
    return trips.p50();
}

void measure(std::string_view metric, std::size_t messages, const Report& report, const Effort& effort) {
    const BrokerProcess broker;
    const Pair pair = interleave(
        effort, [&](Seconds round) { return raw_round_trip(broker.target(), messages, round); },
        [&](Seconds round) { return client_round_trip(broker.target(), messages, round); });
    report.add({metric, pair.value, "us", pair.floor});
}

}  // namespace

void client_overhead(const Report& report, const Effort& effort) {
    measure("client_overhead", 1, report, effort);
}

void client_overhead_batched(const Report& report, const Effort& effort) {
    measure("client_overhead_batched", 100, report, effort);
}

}  // namespace caribou::bench
