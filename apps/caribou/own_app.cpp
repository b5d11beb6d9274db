#include "caribou/own_app.hpp"

#include <utility>

#include <fmt/format.h>

#include "bus/app_command_line.hpp"

namespace caribou::app {

Exit run_own_app(std::vector<std::string> words, bus::AppSettings defaults, NetworkAppMaker make) {
    words.insert(words.begin(), defaults.name);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return static_cast<Exit>(
        run_app(static_cast<int>(arguments.size()), arguments.data(), std::move(defaults), std::move(make)));
}

CLI::App* AppCommand::add_to(CLI::App& program) {
    parser_ = program.add_subcommand(about_.command, about_.what);
    parser_->footer(
        fmt::format("It is an app with the block {}:\n"
                    "  caribou {} [MISSION.moos [NAME]] [--PARAMETER=value]…\n"
                    "--example prints all parameters, --moos_help all options. {} describes it.",
                    about_.defaults.name, about_.command, about_.document));
    parser_->prefix_command();
    return parser_;
}

Exit AppCommand::run() {
    const std::vector<std::string> words = parser_->remaining();
    const auto line = bus::parse_app_command_line(words);
    const std::string mission = line ? line->mission.value_or("") : "";
    return run_own_app(words, about_.defaults,
                       [&](bus::AppFrame& frame, Network&) { return about_.make(frame, mission); });
}

}  // namespace caribou::app
