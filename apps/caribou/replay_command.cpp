// `caribou replay`: publishes the values of an .alog file again.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/client_table.hpp"
#include "bus/replayer.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"
#include "caribou/log_source.hpp"
#include "caribou/patterns.hpp"
#include "caribou/quantity.hpp"
#include "kit/program/number_from.hpp"
#include "platform/terminal.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

class ReplayCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("replay", "Publish the values of an .alog file");
        parser->add_option("FILE", file_, "The log")->required();
        parser->add_option("PATTERN", patterns_, "Only these variables")->capture_default_str();
        parser
            ->add_option("--speed", speed_,
                         "Speed relative to real time; 0: as fast as the broker accepts values")
            ->capture_default_str()
            ->check(number_from(0, 1e6));
        parser->add_option("--from", from_, "Start at this time of the log, in seconds")
            ->check(number_from(0, 1e9));
        parser->add_option("--to", to_, "Stop at this time of the log, in seconds")
            ->check(number_from(0, 1e9));
        parser->add_flag("--loop", loop_, "Repeat until Ctrl-C");
        parser->add_option("--source", source_, "Only values written by clients that match this pattern")
            ->capture_default_str();
        add_bus_options(*parser, bus_);
        parser->footer(
            "Values are published under their original sources, with the present time. Variables of the\n"
            "recorded broker itself (DB_TIME and the like) are skipped.\n"
            "Examples:\n"
            "  caribou replay trial.alog\n"
            "  caribou replay trial.alog 'NAV_*' --speed 10 --from 60 --to 120\n"
            "  caribou replay trial.alog --loop");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(patterns_, bus_); !taken)
            return complain("replay", taken.error().message, Exit::failed);
        if (patterns_.empty()) patterns_ = {"*"};
        BusSession session("replay", bus_);
        auto log = LogSource::open(file_);
        if (!log) return session.complain(log.error().message);
        const auto end = wire::alog_end(log->text());
        if (!end) return session.complain(fmt::format("{} contains no value; is it an .alog file?", file_));
        if (from_ > *end)
            return session.complain(
                fmt::format("--from {} is after the end of {} ({:.1f} s)", from_, file_, *end));
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);

        bus::Replayer replayer(
            session.loop(), session.client(), log->text(),
            {.speed = speed_,
             .from = from_,
             .to = to_ < 0 ? std::nullopt : std::optional(to_),
             .loop = loop_},
            [this](const wire::AlogEntry& entry) {
                return matches_any(patterns_, entry.variable) && bus::glob_matches(source_, entry.source);
            },
            [&](const wire::AlogReference& reference) { return log->resolve(reference); });
        const double last = to_ < 0 ? *end : std::min(to_, *end);
        std::unique_ptr<Timer> timer;
        timer = session.loop().make_timer([&] {
            timer->arm(session.loop().clock().now() + 200ms);
            show(replayer.progress(), last);
        });
        if (shows_) timer->arm(session.loop().clock().now());
        replayer.start([&] { session.end(Exit::ok); });
        session.run();
        return finish(session, replayer.progress(), last);
    }

private:
    void show(const bus::Replayer::Progress& progress, double last) const {
        constexpr int width = 40;
        const double share = last > from_ ? (progress.time - from_) / (last - from_) : 1;
        const int done = std::clamp(static_cast<int>(share * width), 0, width);
        fmt::print(stderr, "\r[{:#<{}}{:-<{}}] {} of {}  {} values{}\x1b[K", "", done, "", width - done,
                   clock_text(progress.time), clock_text(last), count_text(progress.sent),
                   loop_ ? fmt::format("  round {}", progress.rounds + 1) : "");
    }

    /// Returns how many values the broker has refused; nullopt if it does not report that, as a MOOSDB.
    static std::optional<std::uint64_t> refused_values(BusSession& session) {
        bool answered = false;
        std::optional<std::uint64_t> refused;
        const auto take = [&](const Result<std::vector<wire::Message>>& answer) {
            answered = true;
            if (!answer) return;
            for (const bus::ClientRow& row : bus::client_rows(*answer))
                if (row.name == session.client().options().name) refused = row.refused;
        };
        // Other brokers do not answer unknown requests.
        if (session.client().server_request("CLIENT_SUMMARY", take, 2s))
            session.event_loop().run_until([&] { return answered; }, 5s);
        return refused;
    }

    Exit finish(BusSession& session, const bus::Replayer::Progress& progress, double last) const {
        bus::Client& client = session.client();
        session.event_loop().run_until([&] { return client.pending() == 0 || !client.connected(); }, 5s);
        const auto refused = refused_values(session);
        client.finish(1s);
        session.event_loop().run_until([&] { return client.state() == bus::ClientState::stopped; }, 2s);
        if (shows_) {
            show(progress, last);
            fmt::print(stderr, "\n");
        }
        if (refused)
            fmt::print("{} values written, {} refused, {} skipped\n",
                       count_text(progress.sent - std::min(*refused, progress.sent)), count_text(*refused),
                       count_text(progress.left_out));
        else
            fmt::print("{} values sent, {} skipped; the broker does not report how many it has accepted\n",
                       count_text(progress.sent), count_text(progress.left_out));
        if (client.pending() > 0)
            return session.complain(
                fmt::format("the broker was lost before the last {} values", client.pending()));
        if (refused.value_or(0) > 0)
            return session.complain(
                fmt::format("the broker refused {} values; its log has the reasons. A variable that holds "
                            "values of another type keeps its type",
                            count_text(*refused)));
        if (progress.unreadable > 0)
            return session.complain(fmt::format("{} values refer to missing files beside the log",
                                                count_text(progress.unreadable)));
        return Exit::ok;
    }

    BusOptions bus_;
    std::string file_;
    std::vector<std::string> patterns_{"*"};
    double speed_ = 1;
    double from_ = 0;
    double to_ = -1;
    bool loop_ = false;
    std::string source_ = "*";
    bool shows_ = stderr_is_terminal();
};

}  // namespace

std::unique_ptr<Command> make_replay_command() { return std::make_unique<ReplayCommand>(); }

}  // namespace caribou::app
