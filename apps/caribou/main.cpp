#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/nearest.hpp"
#include "caribou/commands.hpp"

namespace caribou::app {
namespace {

struct Offered {
    std::unique_ptr<Command> command;
    CLI::App* parser;
};

/// Returns the commands below `parser`, and its options if `with_options`.
std::vector<std::string> words_of(const CLI::App& parser, bool with_options) {
    std::vector<std::string> words;
    for (const CLI::App* sub : parser.get_subcommands([](const CLI::App*) { return true; }))
        words.push_back(sub->get_name());
    if (!with_options) return words;
    for (const CLI::Option* option : parser.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
        for (const std::string& name : option->get_snames()) words.push_back("-" + name);
    }
    return words;
}

/// The innermost command on the command line, and its path.
struct Chosen {
    const CLI::App* parser;
    std::string name;
};
Chosen chosen_in(const CLI::App& program) {
    Chosen chosen{&program, "caribou"};
    for (auto next = program.get_subcommands(); !next.empty(); next = chosen.parser->get_subcommands())
        chosen = {next.back(), chosen.name + " " + next.back()->get_name()};
    return chosen;
}

/// Returns what may be meant by `word`, which the command does not know.
std::optional<std::string> meant_by(const std::string& word, const CLI::App& parser) {
    if (word.ends_with(".toml") && parser.get_option_no_throw("--config")) return "--config " + word;
    return nearest(word, words_of(parser, word.starts_with('-') || word.size() > 2));
}

/// Prints the error, the most similar valid word, and where to find help.
Exit explain(const CLI::ParseError& error, const CLI::App& program) {
    const auto& [parser, name] = chosen_in(program);
    const auto unknown = program.remaining(true);
    // An unknown word may be in the place of a missing one.
    const bool is_about_words =
        dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
    if (!unknown.empty() && is_about_words) {
        const std::string word = unknown.front().substr(0, unknown.front().find('='));
        const auto meant = meant_by(word, *parser);
        const std::string_view kind = word.starts_with('-') ? "unknown option"
                                      : parser->get_subcommands([](const CLI::App*) { return true; }).empty()
                                          ? "unexpected argument"
                                          : "unknown command";
        fmt::print(stderr, "{}: error: {} `{}`{}\n", name, kind, word,
                   meant ? fmt::format("; did you mean `{}`?", *meant) : ".");
    } else {
        fmt::print(stderr, "{}: error: {}\n", name, error.what());
    }
    fmt::print(stderr, "See `{} --help`.\n", name);
    return Exit::usage;
}

/// Returns the help of the innermost command, with a complete usage line: `caribou db [OPTIONS]`.
std::string help_of(const Chosen& chosen) {
    const std::size_t last = chosen.name.rfind(' ');
    return chosen.parser->help(last == std::string::npos ? "" : chosen.name.substr(0, last));
}

/// Returns the words after the program's name. If the program was called by the name of the original broker,
/// as by pAntler, it is `caribou db`; `caribou help db` is `caribou db --help`.
std::vector<std::string> command_words(int argc, char** argv, const CLI::App& program) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const std::string_view called = argc > 0 ? argv[0] : "";
    if (called.substr(called.rfind('/') + 1) == "MOOSDB") words.insert(words.begin(), "db");
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    // A wrong word is reported instead of the program's help.
    const auto is_command = [&](const CLI::App* command) { return command->get_name() == words.front(); };
    if (words.empty() || std::ranges::any_of(program.get_subcommands({}), is_command))
        words.emplace_back("--help");
    return words;
}

Exit run(int argc, char** argv) {
    CLI::App program("Caribou, a robot runtime: bus, topics, behaviors, cubes, robots and their station.",
                     "caribou");
    program.set_version_flag("--version", "caribou " CARIBOU_VERSION);
    program.footer(
        "`caribou COMMAND --help` or `caribou help COMMAND` describes a command. Exit codes: 0 success, 1 "
        "failure,\n"
        "2 wrong command line.");
    std::vector<Offered> offered;
    for (auto make :
         {make_cubes_command,      make_db_command,      make_demo_command,    make_guard_command,
          make_launch_command,     make_mission_command, make_new_command,     make_page_command,
          make_pair_command,       make_robot_command,   make_share_command,   make_sim_command,
          make_ros_bridge_command, make_topics_command,  make_station_command, make_robots_command,
          make_send_command,       make_drive_command,   make_route_command,   make_tree_command,
          make_tunnel_command,     make_scope_command,   make_watch_command,   make_poke_command,
          make_clients_command,    make_ping_command,    make_record_command,  make_replay_command,
          make_alog_command,       make_world_command,   make_body_command,    make_doctor_command,
          make_completion_command, make_manual_command}) {
        auto command = make();
        CLI::App* const parser = command->add_to(program);
        offered.push_back({std::move(command), parser});
    }
    std::vector<std::string> words = command_words(argc, argv, program);
    if (words.empty()) {
        fmt::print("{}", program.help());
        return Exit::ok;
    }
    try {
        std::ranges::reverse(words);  // in the order required by CLI11
        program.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", help_of(chosen_in(program)));
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
