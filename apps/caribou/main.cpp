#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "caribou/commands.hpp"
#include "caribou/moos_names.hpp"
#include "kit/program/command_line.hpp"

namespace caribou::app {
namespace {

struct Offered {
    std::unique_ptr<Command> command;
    CLI::App* parser;
};

/// Returns the words after the program's name. If the program was called by the name of a program of MOOS, as
/// by pAntler, it is the command that takes its place; `caribou help db` is `caribou db --help`.
std::vector<std::string> command_words(int argc, char** argv, const CLI::App& program) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const std::string_view called = argc > 0 ? argv[0] : "";
    const std::string_view own_name = called.substr(called.rfind('/') + 1);
    if (const auto command = command_for(own_name)) words.emplace(words.begin(), *command);
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    // A wrong word is reported instead of the program's help.
    const auto is_command = [&](const CLI::App* command) { return command->get_name() == words.front(); };
    if (words.empty() || std::ranges::any_of(program.get_subcommands({}), is_command))
        words.emplace_back("--help");
    return words;
}

/// Only one command is run: a later word that is the name of a command is an argument.
void allow_one_command(CLI::App& parser) {
    parser.require_subcommand(parser.get_require_subcommand_min(), 1);
    for (CLI::App* const command : parser.get_subcommands([](CLI::App*) { return true; }))
        allow_one_command(*command);
}

/// An option that may be given several times takes one value each time: the words after it are arguments of
/// the command. Those that need two values or more take all that follow.
void take_one_value_each(CLI::App& parser) {
    for (CLI::Option* const option : parser.get_options())
        if (!option->get_positional() && option->get_expected_min() == 1 && option->get_expected_max() > 1)
            option->allow_extra_args(false);
    for (CLI::App* const command : parser.get_subcommands([](CLI::App*) { return true; }))
        take_one_value_each(*command);
}

/// The commands, as the help lists them.
struct Group {
    std::string heading;
    std::vector<std::unique_ptr<Command> (*)()> commands;
};
const Group groups[] = {
    {"To begin", {make_demo_command, make_doctor_command, make_new_command, make_sim_command}},
    {"Station",
     {make_station_command, make_robots_command, make_drive_command, make_send_command, make_route_command,
      make_recordings_command, make_page_command, make_pair_command}},
    {"Robot",
     {make_robot_command, make_guard_command, make_body_command, make_tree_command, make_cubes_command,
      make_world_command, make_driver_command}},
    {"Bus",
     {make_db_command, make_mission_command, make_launch_command, make_scope_command, make_watch_command,
      make_poke_command, make_query_command, make_ping_command, make_clients_command, make_appcast_command,
      make_process_watch_command, make_timer_script_command, make_logger_command, make_record_command,
      make_replay_command, make_alog_command, make_share_command, make_tunnel_command}},
    {"Marine vehicle",
     {make_marine_sim_command, make_marine_pid_command, make_node_reporter_command, make_helm_command}},
    {"Topics", {make_topics_command, make_ros_bridge_command}},
    {"Shell", {make_completion_command, make_manual_command}},
};

Exit run(int argc, char** argv) {
    CLI::App program("Caribou, a robot runtime: bus, topics, behaviors, cubes, robots and their station.",
                     "caribou");
    program.set_version_flag("--version", "caribou " CARIBOU_VERSION);
    program.footer(
        "`caribou COMMAND --help` or `caribou help COMMAND` describes a command. Exit codes: 0 success, 1 "
        "failure,\n"
        "2 wrong command line.");
    std::vector<Offered> offered;
    for (const auto& [heading, commands] : groups)
        for (auto make : commands) {
            auto command = make();
            CLI::App* const parser = command->add_to(program);
            parser->group(heading);
            offered.push_back({std::move(command), parser});
        }
    allow_one_command(program);
    take_one_value_each(program);
    std::vector<std::string> words = command_words(argc, argv, program);
    if (words.empty()) {
        fmt::print("{}", program.help());
        return Exit::ok;
    }
    if (const auto instead = instead_of(words.front())) {
        fmt::print(stderr, "caribou: error: unknown command `{}`; did you mean {}?\n", words.front(),
                   *instead);
        return Exit::usage;
    }
    try {
        std::ranges::reverse(words);  // in the order required by CLI11
        program.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", help_of(program));
        return Exit::ok;
    } catch (const CLI::CallForVersion& version) {
        fmt::print("{}\n", version.what());
        return Exit::ok;
    } catch (const CLI::ParseError& error) {
        return explain(error, program);
    }
    for (const Offered& o : offered)
        if (o.parser->parsed()) return o.command->run();
    return Exit::usage;
}

}  // namespace
}  // namespace caribou::app

int main(int argc, char** argv) { return static_cast<int>(caribou::app::run(argc, argv)); }
