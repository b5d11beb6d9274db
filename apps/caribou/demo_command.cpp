// `caribou demo`: a broker, a vessel that sails in circles, and a view of it in this terminal, all
// through the bus.

#include <cmath>
#include <csignal>
#include <cstdio>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "bus/broker_server.hpp"
#include "bus/client.hpp"
#include "caribou/chart.hpp"
#include "caribou/commands.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/hostname.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

/// A vessel that rounds two buoys and says where it is, ten times a second.
class Vessel {
public:
    Vessel(Loop& loop, Network& network, const Address& broker)
        : loop_(loop),
          client_(loop, network, {.name = "vessel", .broker = broker}),
          timer_(loop.make_timer([this] { sail(); })) {}

    Result<void> start() {
        timer_->arm(loop_.clock().now());
        return client_.start();
    }

private:
    static constexpr Duration step = 100ms;
    static constexpr double lap_seconds = 24;

    void sail() {
        timer_->arm(loop_.clock().now() + step);
        phase_ =
            std::fmod(phase_ + 2 * std::numbers::pi * to_seconds(step) / lap_seconds, 2 * std::numbers::pi);
        // A figure of eight around two buoys.
        const double x = 80 * std::sin(phase_);
        const double y = 30 * std::sin(2 * phase_);
        const double heading =
            std::atan2(80 * std::cos(phase_), 60 * std::cos(2 * phase_)) * 180 / std::numbers::pi;
        // A full outbox only means that the newest place is told a little later.
        std::ignore = client_.notify("NAV_X", x);
        std::ignore = client_.notify("NAV_Y", y);
        std::ignore = client_.notify("NAV_HEADING", std::fmod(heading + 360, 360));
    }

    Loop& loop_;
    bus::Client client_;
    std::unique_ptr<Timer> timer_;
    double phase_ = 0;
};

/// Shows what the bus says of the vessel: a chart that is redrawn on a terminal, a line a second
/// elsewhere.
class View {
public:
    View(Loop& loop, Network& network, const Address& broker, const bus::Broker& watched)
        : loop_(loop),
          broker_(watched),
          client_(loop, network, {.name = "view", .broker = broker}),
          timer_(loop.make_timer([this] { show(); })),
          terminal_(::isatty(STDOUT_FILENO) == 1) {
        for (const auto& [key, field] :
             {std::pair("NAV_X", &x_), {"NAV_Y", &y_}, {"NAV_HEADING", &heading_}}) {
            std::ignore = client_.register_variable(key, 200ms);
            client_.on_mail(key, [this, field](const wire::MessageView& message) {
                *field = message.value;
                messages_ += 1;
            });
        }
    }

    Result<void> start() {
        timer_->arm(loop_.clock().now() + period());
        return client_.start();
    }

private:
    Duration period() const { return terminal_ ? 200ms : 1s; }

    void show() {
        timer_->arm(loop_.clock().now() + period());
        if (messages_ == 0) return;
        const std::string line =
            fmt::format("x {:6.1f} m   y {:6.1f} m   heading {:5.1f}°   {} clients   {} values shown", x_, y_,
                        heading_, broker_.client_count(), messages_);
        if (terminal_) {
            chart_.mark(x_, y_);
            // Back over the last picture, which has the same number of lines.
            if (drawn_) fmt::print("\x1b[{}A", Chart::rows + 1);
            fmt::print("{}\x1b[K{}\n", chart_.draw(x_, y_), line);
            drawn_ = true;
        } else {
            fmt::print("{}\n", line);
        }
        std::fflush(stdout);
    }

    Loop& loop_;
    const bus::Broker& broker_;
    bus::Client client_;
    std::unique_ptr<Timer> timer_;
    bool terminal_;
    bool drawn_ = false;
    Chart chart_;
    double x_ = 0;
    double y_ = 0;
    double heading_ = 0;
    std::uint64_t messages_ = 0;
};

class DemoCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("demo", "Starts a broker and a vessel on it, and shows them");
        parser->add_option("-p,--port", port_, "TCP port of the broker; 0 takes any free one")
            ->capture_default_str();
        parser->add_option("--seconds", seconds_, "End by itself after this time; 0 runs until Ctrl-C")
            ->capture_default_str()
            ->check(CLI::Range(0.0, 86400.0));
        return parser;
    }

    Exit run() override {
        ConsoleLog log(Level::warning);
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM});
        SocketNetwork network(loop, log);
        bus::BrokerServer server(loop, network, {.broker = {.community = "demo", .hostname = hostname()}},
                                 log);
        const auto at = server.listen(Address::ip("127.0.0.1", port_));
        if (!at) {
            fmt::print(stderr, "caribou demo: {}\n", at.error().message);
            return Exit::failed;
        }
        fmt::print(
            "A MOOS broker listens at {1}; any MOOS program can join it.\n"
            "Try in another terminal: caribou scope --port {0}, or caribou watch 'NAV_*' --port {0}.\n"
            "Ctrl-C ends all.\n\n",
            at->port, to_string(*at));
        Vessel vessel(loop, network, *at);
        View view(loop, network, *at, server.broker());
        for (const auto& started : {vessel.start(), view.start()}) {
            if (started) continue;
            fmt::print(stderr, "caribou demo: {}\n", started.error().message);
            return Exit::failed;
        }
        const auto end = loop.make_timer([&] { loop.stop(); });
        if (seconds_ > 0) end->arm(loop.clock().now() + from_seconds(seconds_));
        loop.run();
        fmt::print("\nAll stopped.\n");
        return Exit::ok;
    }

private:
    std::uint16_t port_ = 9000;
    double seconds_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_demo_command() { return std::make_unique<DemoCommand>(); }

}  // namespace caribou::app
