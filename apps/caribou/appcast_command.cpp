// `caribou appcast`: shows the reports of apps.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/appcast_board.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"
#include "kit/program/number_from.hpp"
#include "platform/terminal.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

class AppcastCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("appcast", "Show the reports of apps (APPCAST)");
        parser->add_option("APP", apps_, "Show the whole reports of these apps; * and ? match");
        parser->add_option("--node", node_, "Only apps of this community; * and ? match")
            ->capture_default_str();
        parser->add_option("--seconds", seconds_, "How long to collect reports")
            ->capture_default_str()
            ->check(number_from(0.1, 3600));
        parser->add_flag("--follow", follow_, "Show new reports until Ctrl-C");
        parser->add_flag("--json", json_, "Print a JSON array");
        add_bus_options(*parser, bus_);
        parser->footer(
            "Without APP, prints a table with the numbers of configuration and run warnings. Exit status 1 "
            "if\n"
            "no app has answered.\n"
            "Examples:\n"
            "  caribou appcast alpha.moos\n"
            "  caribou appcast pHelmIvP --follow");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(apps_, bus_); !taken)
            return complain("appcast", taken.error().message, Exit::failed);
        BusSession session("appcast", bus_);
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        bus::Client& client = session.client();
        client.on_mail("APPCAST", [this](const wire::MessageView& message) {
            if (!requested_ || !board_.take(message.payload)) return;
            changed_ = true;
        });
        if (auto registered = client.register_variable("APPCAST"); !registered)
            return session.complain(registered.error().message);
        // Before its answer, the broker sends the latest report of before; that is not shown.
        const auto asked = client.server_request("VAR_SUMMARY", [&](auto) { begin(session); });
        if (!asked) return session.complain(asked.error().message);
        session.run();
        return end(session);
    }

private:
    void begin(BusSession& session) {
        requested_ = true;
        request(session.client());
        timer_ = session.loop().make_timer([this, &session] { on_timer(session); });
        ends_ = session.loop().clock().now() + from_seconds(seconds_);
        timer_->arm(session.loop().clock().now() + period);
    }

    /// Posts a request twice, as the tools of MOOS-IvP do: the second variable is for bridges.
    void request(bus::Client& client) const {
        const bus::AppCastRequest request{
            .duration = 3 * client.warp(), .key = client.options().name, .threshold = {}};
        for (const char* const variable : {"APPCAST_REQ", "APPCAST_REQ_ALL"})
            if (!client.notify(variable, to_string(request))) return;  // the broker is away
    }

    void on_timer(BusSession& session) {
        const Instant now = session.loop().clock().now();
        if (!follow_ && now >= ends_) return session.end(Exit::ok);
        request(session.client());
        if (follow_ && std::exchange(changed_, false)) show();
        timer_->arm(now + period);
    }

    std::vector<const bus::AppCast*> chosen() const {
        if (apps_.empty()) return board_.matching(node_, "*");
        std::vector<const bus::AppCast*> all;
        for (const std::string& app : apps_)
            for (const bus::AppCast* cast : board_.matching(node_, app)) all.push_back(cast);
        return all;
    }

    void show() const {
        const auto casts = chosen();
        if (follow_ && stdout_is_terminal()) fmt::print("\x1b[H\x1b[2J");
        if (json_) {
            fmt::print("{}\n", bus::appcast_json(casts));
        } else if (apps_.empty()) {
            fmt::print("{}", bus::appcast_table(casts));
        } else {
            for (const bus::AppCast* cast : casts) fmt::print("{}\n", bus::appcast_page(*cast));
        }
        std::fflush(stdout);
    }

    Exit end(BusSession& session) const {
        if (!follow_) show();
        if (!chosen().empty()) return Exit::ok;
        return session.complain(fmt::format(
            "no report within {:g} s; only programs that appcast answer, and they do so when they iterate",
            seconds_));
    }

    static constexpr Duration period = 600ms;  ///< of requests

    BusOptions bus_;
    std::vector<std::string> apps_;
    std::string node_ = "*";
    double seconds_ = 2;
    bool follow_ = false;
    bool json_ = false;

    bus::AppCastBoard board_;
    bool requested_ = false;
    bool changed_ = false;
    Instant ends_{};
    std::unique_ptr<Timer> timer_;
};

}  // namespace

std::unique_ptr<Command> make_appcast_command() { return std::make_unique<AppcastCommand>(); }

}  // namespace caribou::app
