#include "caribou/own_blocks.hpp"

#include <memory>
#include <string_view>

#include "base/log.hpp"
#include "bus/app.hpp"
#include "bus/app_frame.hpp"
#include "bus/launch_plan.hpp"
#include "caribou/commands.hpp"
#include "caribou/moos_names.hpp"
#include "kit/bus/process_probe.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

struct CommandWithBlock {
    std::string_view name;
    std::unique_ptr<Command> (*make)();
    bus::UnknownKeys unknown_keys = bus::UnknownKeys::warn;
};
constexpr CommandWithBlock commands_with_blocks[] = {{"helm", make_helm_command, bus::UnknownKeys::refuse},
                                                     {"logger", make_logger_command},
                                                     {"marine-pid", make_marine_pid_command},
                                                     {"marine-sim", make_marine_sim_command},
                                                     {"node-reporter", make_node_reporter_command},
                                                     {"process-watch", make_process_watch_command},
                                                     {"share", make_share_command},
                                                     {"timer-script", make_timer_script_command}};

}  // namespace

std::unique_ptr<bus::App> Command::make_app(bus::AppFrame&, Network&, const std::string&) const {
    return nullptr;
}

std::optional<std::vector<bus::MissionFinding>> check_own_block(const bus::Mission& mission,
                                                                const bus::MissionBlock& block) {
    const std::string program = bus::program_of_block(mission, block.name);
    const std::string_view name = command_for(program).value_or(program);
    for (const CommandWithBlock& command : commands_with_blocks) {
        if (command.name != name) continue;
        NullLog log;
        EventLoop loop;
        SocketNetwork network(loop, log);
        SystemProcessProbe probe;
        bus::AppFrame frame(loop, network, probe, log, {.name = block.name});
        const auto app = command.make()->make_app(frame, network, mission.path);
        auto findings = frame.parameters().fill(block.settings, command.unknown_keys);
        for (auto& finding :
             frame.parameters().check_filled(block.settings, bus::MissionFinding::Kind::warning))
            findings.push_back(std::move(finding));
        return findings;
    }
    return std::nullopt;
}

}  // namespace caribou::app
