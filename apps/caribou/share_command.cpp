// `caribou share`: copies selected variables between communities.

#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "bus/share.hpp"
#include "caribou/commands.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/mission_reader.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

class ShareCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("share", "Copy selected variables between communities");
        parser->add_option("-c,--config", file_, "Plan: TOML with [[community]] and [[share]]")->required();
        parser->add_flag("-q,--quiet", quiet_, "Only warnings");
        parser->footer("docs/share.md describes the format of the file, and how loops are prevented.");
        return parser;
    }

    Exit run() override {
        const auto plan = read_plan();
        if (!plan) {
            fmt::print(stderr, "caribou share: {}\n", plan.error().message);
            return Exit::failed;
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
        log.info(fmt::format("copied {} values; {} from other communities were not copied, {} were lost",
                             share.stats().carried, share.stats().foreign, share.stats().lost));
        return Exit::ok;
    }

private:
    Result<bus::SharePlan> read_plan() const {
        const auto mission = read_mission_file(file_);
        if (!mission) return fail(mission.error());
        return bus::plan_share(*mission);
    }

    std::string file_;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_share_command() { return std::make_unique<ShareCommand>(); }

}  // namespace caribou::app
