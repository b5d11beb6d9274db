// `caribou ping`: measures the round trip of a value through the broker.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/ping.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"
#include "kit/program/number_from.hpp"

namespace caribou::app {
namespace {

class PingCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("ping", "Measure the round trip of a value through the broker");
        parser->add_option("-n,--rounds", rounds_, "Number of rounds")
            ->capture_default_str()
            ->check(number_from(1, 1e6));
        parser->add_option("--every", every_, "Seconds between two rounds")
            ->capture_default_str()
            ->check(number_from(0, 3600));
        parser->add_flag("--json", json_, "Print only the figures, as a JSON object");
        parser->add_option("MISSION", words_, "Mission file with the broker's address");
        add_bus_options(*parser, bus_);
        parser->footer(
            "Writes and reads the variable CARIBOU_PING. Exit status 1 if a round is lost.\n"
            "Examples:\n"
            "  caribou ping\n"
            "  caribou ping --rounds 1000 --every 0 --json");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(words_, bus_); !taken)
            return complain("ping", taken.error().message, Exit::failed);
        if (!words_.empty())
            return complain("ping",
                            fmt::format("`{}` is not a mission file; expected FILE.moos", words_.front()));
        BusSession session("ping", bus_);
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        bus::Ping ping(session.loop(), session.client(),
                       {.rounds = rounds_, .interval = from_seconds(every_)});
        const auto started = ping.start([&](bus::PingRound round) { tell(ping.rounds().size(), round); },
                                        [&] { session.end(Exit::ok); });
        if (!started) return session.complain(started.error().message);
        session.run();  // a signal ends it early
        const auto& rounds = ping.rounds();
        fmt::print("{}", json_ ? bus::ping_json(rounds) + "\n" : bus::ping_report(rounds));
        return std::ranges::count(rounds, bus::PingRound{}) > 0 || rounds.empty() ? Exit::failed : Exit::ok;
    }

private:
    /// Prints each round if they are slow enough to be followed.
    void tell(std::size_t number, bus::PingRound round) const {
        if (json_ || every_ < 0.05) return;
        fmt::print("{:>4}  {}\n", number,
                   round ? fmt::format("{:.0f} us", to_seconds(*round) * 1e6) : "lost");
        std::fflush(stdout);
    }

    BusOptions bus_;
    std::vector<std::string> words_;
    std::uint32_t rounds_ = 10;
    double every_ = 0.2;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_ping_command() { return std::make_unique<PingCommand>(); }

}  // namespace caribou::app
