#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps_figures.hpp"
#include "bus/app_frame.hpp"
#include "bus/client.hpp"
#include "bus_servers.hpp"
#include "core.hpp"
#include "give_up.hpp"
#include "kit/bus/process_probe.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// Each PING_… is answered with its PONG_….
struct Names {
    std::string ping;
    std::string pong;
};

/// Answers in the handler of a client.
class AnsweringClient {
public:
    AnsweringClient(EventLoop& loop, Network& network, const Target& broker, const Names& names)
        : client_(loop, network,
                  {.name = "answering_client", .broker = Address::ip("127.0.0.1", broker.port)}) {
        client_.on_mail(names.ping, [this, pong = names.pong](const wire::MessageView& message) {
            if (!client_.notify(pong, message.value)) give_up("the client's outbox is full");
        });
        if (!client_.register_variable(names.ping) || !client_.start()) give_up("the client does not start");
    }

private:
    bus::Client client_;
};

/// Answers in an app.
class AnsweringApp final : public bus::App {
public:
    AnsweringApp(bus::AppFrame& frame, Names names) : App(frame), names_(std::move(names)) {}

    Result<void> on_connect_to_server() override {
        register_variable(names_.ping);
        return {};
    }
    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        for (const wire::Message& message : mail) notify(names_.pong, message.value);
        return {};
    }

private:
    Names names_;
};

/// Sends pings and measures the time until the answer.
class Asker {
public:
    Asker(EventLoop& loop, Network& network, const Target& broker, const Names& names)
        : loop_(loop),
          ping_(names.ping),
          client_(loop, network,
                  {.name = "asker_" + names.ping, .broker = Address::ip("127.0.0.1", broker.port)}) {
        client_.on_mail(names.pong, [this](const wire::MessageView&) { answered(); });
        if (!client_.register_variable(names.pong) || !client_.start()) give_up("the client does not start");
    }

    double p50(Seconds round) {
        samples_.clear();
        end_ = now() + std::chrono::duration_cast<SteadyTime::duration>(round);
        ask();
        watchdog_->arm(loop_.clock().now() + 5s);
        loop_.run();
        return median(samples_);
    }
    /// Sends pings until the first answer.
    void meet() {
        do {
            end_ = now();
            ask();
        } while (!loop_.run_until([this] { return !samples_.empty(); }, 200ms));
    }

private:
    void ask() {
        asked_ = now();
        if (!client_.notify(ping_, 1)) give_up("the client's outbox is full");
    }
    void answered() {
        samples_.push_back(microseconds(now() - asked_));
        if (now() < end_)
            ask();
        else
            loop_.stop();
    }

    EventLoop& loop_;
    std::string ping_;
    bus::Client client_;
    std::unique_ptr<Timer> watchdog_ = loop_.make_timer([] { give_up("nobody answers"); });
    SteadyTime asked_{};
    SteadyTime end_{};
    std::vector<double> samples_;
};

}  // namespace

void mode1_ratio(const Report& report, const Effort& effort) {
    const OneCore core;
    const BrokerProcess broker;
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    const Names to_client{"PING_CLIENT", "PONG_CLIENT"};
    const Names to_app{"PING_APP", "PONG_APP"};

    const AnsweringClient client(loop, network, broker.target(), to_client);
    SystemProcessProbe probe;
    bus::AppFrame frame(loop, network, probe, log,
                        {.name = "answering_app",
                         .server_host = "127.0.0.1",
                         .server_port = broker.target().port,
                         .max_app_tick = 0,
                         .iterate_mode = 1});
    AnsweringApp app(frame, to_app);
    if (!frame.start(app)) give_up("the app does not start");

    Asker asks_client(loop, network, broker.target(), to_client);
    Asker asks_app(loop, network, broker.target(), to_app);
    asks_client.meet();
    asks_app.meet();
    const Pair pair = interleave(
        effort, 5ms, [&](Seconds round) { return asks_client.p50(round); },
        [&](Seconds round) { return asks_app.p50(round); });
    report.add({"mode1_ratio", pair.value, "us", pair.floor});
}

}  // namespace caribou::bench
