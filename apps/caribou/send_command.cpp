// `caribou send`: sends a command to a robot and prints the answers.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "caribou/station_link.hpp"
#include "link/command.hpp"
#include "link/command_table.hpp"

namespace caribou::app {
namespace {

/// Returns all commands, one per line.
std::string command_list() {
    std::string text = "Commands, by number or name:\n";
    for (const link::CommandRow& row : link::command_table()) {
        std::string arguments;
        for (const link::ArgumentRow& argument : row.arguments)
            arguments += argument.required ? fmt::format(" {}=…", argument.name)
                                           : fmt::format(" [{}=…]", argument.name);
        text += fmt::format("  {:>3} {}{}: {}\n", static_cast<int>(row.code), row.name, arguments, row.what);
    }
    return text;
}

class SendCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("send", "Sends a command to a robot, and says what became of it");
        parser->add_option("ROBOT", robot_, "Its name; @GROUP or @all for a full stop of many")->required();
        parser->add_option("COMMAND", words_, "As in `move_forward level=2`")
            ->required()
            ->option_text("COMMAND [NAME=VALUE ...]");
        add_station_options(*parser, station_);
        parser->footer(command_list() +
                       "Ends with 0 if it was done, and with 1 and the reason if not.\n"
                       "Examples:\n"
                       "  caribou send rover set_run_mode mode=3\n"
                       "  caribou send rover move_forward level=2 ttl=2s\n"
                       "  caribou send @all full_stop");
        return parser;
    }

    Exit run() override {
        std::string text;
        for (const std::string& word : words_) text += (text.empty() ? "" : " ") + quoted(word);
        StationLink link("send", station_);
        const auto command = link::command_from(text);
        if (!command)
            return link.complain(command.error().message + ". `caribou send --help` lists the commands.",
                                 Exit::usage);
        const bool many = robot_.starts_with('@');
        if (many && command->code != link::CommandCode::full_stop)
            return link.complain("only full_stop can be sent to many robots at once", Exit::usage);
        if (auto connected = link.connect(); !connected) return link.complain(connected.error().message);
        const std::string group = robot_ == "@all" ? "" : robot_.substr(many ? 1 : 0);
        if (link::max_age(*command)) link.measure_clock();
        id_ = many ? link.stop_all(group) : link.send_command(robot_, text, link.called());
        link.on_news([&] { hear(link); });
        return link.run();
    }

private:
    /// Restores the quotes around a value with blanks, which the shell has removed.
    static std::string quoted(const std::string& word) {
        const std::size_t equals = word.find('=');
        if (word.find(' ') == std::string::npos || equals == std::string::npos ||
            word.find('"') != std::string::npos)
            return word;
        return word.substr(0, equals + 1) + '"' + word.substr(equals + 1) + '"';
    }

    void hear(StationLink& link) const {
        for (const data::AnswerMessage& answer : link.picture().take_answers()) {
            if (answer.id != id_) continue;
            const bool refused = answer.kind == data::AnswerKind::refused;
            fmt::print(refused ? stderr : stdout, "{}\n", station::to_string(answer));
            if (answer.final) return link.end(refused ? Exit::failed : Exit::ok);
        }
        if (!link.connected()) link.end(link.complain("the station has gone before it answered"));
    }

    StationOptions station_;
    std::string robot_;
    std::vector<std::string> words_;
    std::uint64_t id_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_send_command() { return std::make_unique<SendCommand>(); }

}  // namespace caribou::app
