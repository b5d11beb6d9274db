#include "bus/client.hpp"

#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "bus_figures.hpp"
#include "bus_raw_client.hpp"
#include "bus_servers.hpp"
#include "core.hpp"
#include "give_up.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bench {
namespace {

const std::string payload(payload_size, 'x');

/// Collects round-trip times.
class Trips {
public:
    explicit Trips(Seconds length) : end_(now() + length) {}

    void set_out() { set_out_ = now(); }
    /// Returns false after the last one.
    bool returned() {
        const SteadyTime time = now();
        samples_.push_back(microseconds(time - set_out_));
        return time < end_;
    }
    double p50() { return median(samples_); }

private:
    std::chrono::time_point<std::chrono::steady_clock, Seconds> end_;
    SteadyTime set_out_{};
    std::vector<double> samples_;
};

/// The same work without a library: messages encoded into one buffer and sent at once, a blocking read, and
/// messages decoded in place.
class RawEcho {
public:
    explicit RawEcho(const Target& broker) : client_(broker.port) {
        client_.join(name);
        client_.subscribe(name);
    }

    double p50(std::size_t messages, Seconds round) {
        Trips trips(round);
        do {
            trips.set_out();
            send(messages);
            receive(messages);
        } while (trips.returned());
        return trips.p50();
    }

private:
    static constexpr std::string_view name = "raw";

    void send(std::size_t messages) {
        packet_.clear();
        wire::append_packet_header(packet_, 0, 0);
        for (std::size_t i = 0; i < messages; ++i)
            wire::append_message(packet_, {.type = wire::MessageType::notify,
                                           .data_type = wire::DataType::string,
                                           .source = name,
                                           .key = name,
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

    RawClient client_;
    Bytes packet_;
    Bytes room_ = Bytes(256_KiB);
    wire::PacketReader reader_{64_KiB};
};

/// The same work with our library.
class ClientEcho {
public:
    explicit ClientEcho(const Target& broker)
        : client_(loop_, network_,
                  {.name = std::string(name), .broker = Address::ip("127.0.0.1", broker.port)}) {
        client_.on_mail(name, [this](const wire::MessageView&) { on_mail(); });
        client_.on_connected([this] { loop_.stop(); });
        if (!client_.register_variable(name) || !client_.start()) give_up("the client does not start");
        run();
    }

    double p50(std::size_t messages, Seconds round) {
        messages_ = messages;
        trips_.emplace(round);
        send();
        run();
        return trips_->p50();
    }

private:
    static constexpr std::string_view name = "client";

    void send() {
        trips_->set_out();
        for (awaited_ = 0; awaited_ < messages_; ++awaited_)
            if (!client_.notify(name, payload)) give_up("the client's outbox is full");
    }
    void on_mail() {
        if (--awaited_ > 0) return;
        if (trips_->returned())
            send();
        else
            loop_.stop();
    }
    void run() {
        watchdog_->arm(loop_.clock().now() + std::chrono::seconds(5));
        loop_.run();
    }

    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    bus::Client client_;
    std::unique_ptr<Timer> watchdog_ =
        loop_.make_timer([] { give_up("the client waits in vain: messages were lost"); });
    std::size_t messages_ = 0;
    std::size_t awaited_ = 0;
    std::optional<Trips> trips_;
};

void measure(std::string_view metric, std::size_t messages, const Report& report, const Effort& effort) {
    const OneCore core;
    const BrokerProcess broker;
    RawEcho raw(broker.target());
    ClientEcho client(broker.target());
    const Pair pair = interleave(
        effort, std::chrono::milliseconds(5), [&](Seconds round) { return raw.p50(messages, round); },
        [&](Seconds round) { return client.p50(messages, round); });
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
