// `caribou watch`: prints one line per value written.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/message_text.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"
#include "caribou/patterns.hpp"
#include "kit/program/number_from.hpp"

namespace caribou::app {
namespace {

class WatchCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("watch", "Print a line for each value that is written");
        parser->add_option("PATTERN", patterns_, "Variables; * matches any text, ? any character")
            ->required();
        parser->add_option("--source", source_, "Only values written by clients that match this pattern")
            ->capture_default_str();
        parser->add_option("--every", every_, "Minimum seconds between two values of a variable")
            ->check(number_from(0, 86400));
        parser->add_flag("--json", json_, "Print one JSON object per line");
        parser->add_option("-n,--count", count_, "Stop after this many lines; 0: on Ctrl-C")
            ->capture_default_str()
            ->check(number_from(0, 1e15));
        add_bus_options(*parser, bus_);
        parser->footer(
            "Each line has the time (UTC), the variable, its writer and the value; the present values are\n"
            "printed first.\n"
            "Examples:\n"
            "  caribou watch 'NAV_*'\n"
            "  caribou watch '*' --source 'pHelm*' --json | jq .value\n"
            "  caribou watch ARRIVED --count 1         waits for a value");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(patterns_, bus_); !taken)
            return complain("watch", taken.error().message, Exit::failed);
        if (patterns_.empty()) return complain("watch", "expected a variable after the mission file");
        BusSession session("watch", bus_);
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        session.client().on_other_mail([&](const wire::MessageView& message) {
            if (!bus::glob_matches(source_, message.source) || (count_ > 0 && printed_ == count_)) return;
            fmt::print("{}\n", json_ ? bus::message_json(message) : bus::message_line(message));
            if (++printed_ == count_) session.end(Exit::ok);
            flush_after_turn(session.loop());
        });
        if (auto asked = register_patterns(session.client(), patterns_, source_, from_seconds(every_));
            !asked)
            return session.complain(asked.error().message, Exit::usage);
        const Exit how = session.run();
        std::fflush(stdout);
        return how;
    }

private:
    /// Once per turn of the loop.
    void flush_after_turn(Loop& loop) {
        if (std::exchange(flushing_, true)) return;
        loop.post([this] {
            flushing_ = false;
            std::fflush(stdout);
        });
    }

    BusOptions bus_;
    std::vector<std::string> patterns_;
    std::string source_ = "*";
    double every_ = 0;
    bool json_ = false;
    std::uint64_t count_ = 0;
    std::uint64_t printed_ = 0;
    bool flushing_ = false;
};

}  // namespace

std::unique_ptr<Command> make_watch_command() { return std::make_unique<WatchCommand>(); }

}  // namespace caribou::app
