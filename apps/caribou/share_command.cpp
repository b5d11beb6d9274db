// `caribou share`: copies selected variables between communities, over TCP or as pShare does.

#include <csignal>
#include <cstdio>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/share.hpp"
#include "caribou/commands.hpp"
#include "caribou/own_app.hpp"
#include "caribou/pshare_app.hpp"
#include "kit/bus/mission_reader.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

class ShareCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("share", "Copy selected variables between communities");
        parser_->add_option("-c,--config", file_, "Plan: TOML with [[community]] and [[share]]");
        parser_->add_flag("--check", check_, "Check the plan, and exit");
        parser_->add_flag("-q,--quiet", quiet_, "Only warnings");
        parser_->footer(
            "Without a plan it is an app that speaks the UDP protocol of pShare:\n"
            "  caribou share [MISSION.moos [NAME]] [-o=OUTPUTS] [-i=INPUTS] [--PARAMETER=value]…\n"
            "docs/share.md describes plan, block and options, and how loops are prevented.");
        parser_->prefix_command();
        return parser_;
    }

    Exit run() override {
        if (file_.empty()) return run_pshare();
        if (!parser_->remaining().empty()) {
            fmt::print(stderr, "caribou share: error: unexpected argument `{}` beside a plan\n",
                       parser_->remaining().front());
            return Exit::usage;
        }
        const auto plan = read_plan();
        if (!plan) {
            fmt::print(stderr, "caribou share: {}\n", plan.error().message);
            return Exit::failed;
        }
        if (check_) {
            fmt::print("{}: {} communities, {} routes, no errors\n", file_, plan->peers.size(),
                       plan->routes.size());
            return Exit::ok;
        }
        ConsoleLog log(quiet_ ? Level::warning : Level::info);
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM});
        SocketNetwork network(loop, log);
        bus::Share share(loop, network, *plan, log);
        if (const auto started = share.start(); !started) {
            fmt::print(stderr, "caribou share: error: {}\n", started.error().message);
            return Exit::failed;
        }
        loop.run();
        share.finish(std::chrono::seconds(1));
        loop.run_until([&] { return share.stopped(); }, std::chrono::seconds(2));
        for (const std::string& line : share.report()) fmt::print("{}\n", line);
        log.info(fmt::format("{} values from other communities were not copied", share.stats().foreign));
        return Exit::ok;
    }

    std::unique_ptr<bus::App> make_app(bus::AppFrame& frame, Network& network,
                                       const std::string&) const override {
        return std::make_unique<PshareApp>(frame, network);
    }

private:
    /// `-o=A,B` and `-i=A` are options of pShare: several outputs in the short form, and inputs.
    static void add_words(const std::string& word, std::vector<std::string>& words) {
        const bool is_output = word.starts_with("-o=");
        if (!is_output && !word.starts_with("-i=")) {
            words.push_back(word);
            return;
        }
        for (const auto part : std::views::split(word.substr(3), ','))
            words.push_back(fmt::format("--{}={}", is_output ? "Output" : "Input",
                                        std::string_view(part.begin(), part.end())));
    }

    Exit run_pshare() {
        bus::AppSettings defaults = PshareApp::defaults();
        defaults.quiet = quiet_;
        std::vector<std::string> words;
        for (const std::string& word : parser_->remaining()) add_words(word, words);
        return run_own_app(std::move(words), std::move(defaults), [](bus::AppFrame& frame, Network& network) {
            return std::make_unique<PshareApp>(frame, network);
        });
    }

    Result<bus::SharePlan> read_plan() const {
        const auto mission = read_mission_file(file_);
        if (!mission) return fail(mission.error());
        return bus::plan_share(*mission);
    }

    CLI::App* parser_ = nullptr;
    std::string file_;
    bool check_ = false;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_share_command() { return std::make_unique<ShareCommand>(); }

}  // namespace caribou::app
