// `caribou send`: sends a command to a robot and prints the answers.

#include <algorithm>
#include <chrono>
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

// A station that closes connections because it is overloaded is tried again for this time.
constexpr Duration usual_patience = std::chrono::seconds(2);
constexpr Duration stop_patience = std::chrono::seconds(5);

class SendCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("send", "Send a command to a robot, and print its answer");
        parser->add_option("ROBOT", robot_, "Name of the robot; @GROUP or @all for a full stop of many")
            ->required();
        parser->add_option("COMMAND", words_, "Command and its arguments, such as `move_forward level=2`")
            ->required()
            ->option_text("COMMAND [NAME=VALUE ...]");
        add_station_options(*parser, station_);
        parser->footer(command_list() +
                       "The station itself executes:\n"
                       "      dismiss_stop: sends a full stop that the robot has not confirmed no more\n"
                       "The exit status is 0 if it was done, 1, with the reason, if not, and 2 if there is "
                       "no such command\n"
                       "or argument.\n"
                       "Examples:\n"
                       "  caribou send rover set_run_mode mode=3\n"
                       "  caribou send rover move_forward level=2 ttl=2s\n"
                       "  caribou send rover bus line='poke GREETING \"good morning\"'\n"
                       "  caribou send @all full_stop");
        return parser;
    }

    Exit run() override {
        const std::string text = link::command_text(words_);
        StationLink link("send", station_);
        if (text == dismiss_word) return dismiss(link);
        const auto command = link::command_from(text);
        if (!command)
            return link.complain(fmt::format("error: {}", to_string(link::Answer::refused(
                                                              {}, link::objection_to_text(command.error())))),
                                 Exit::usage);
        const bool many = robot_.starts_with('@');
        if (many && command->code != link::CommandCode::full_stop)
            return link.complain("only full_stop can be sent to many robots at once", Exit::usage);
        const bool stops = command->code == link::CommandCode::full_stop;
        const Instant end = link.loop().clock().now() + (stops ? stop_patience : usual_patience);
        do {
            is_lost_ = false;
            link.on_news({});
            const Duration left = std::max(end - link.loop().clock().now(), Duration::zero());
            if (auto connected = link.connect(left); !connected)
                return link.complain(connected.error().message);
            const std::string group = robot_ == "@all" ? "" : robot_.substr(many ? 1 : 0);
            if (link::max_age(*command)) link.measure_clock();
            id_ = many ? link.stop_all(group) : link.send_command(robot_, text, link.called());
            link.on_news([&] { hear(link); });
            hear(link);
            if (const Exit how = link.run(); !is_lost_) return how;
            // A stop is sent again: a second one does no harm.
        } while (stops && link.loop().clock().now() < end);
        return link.complain("the station has gone before it answered");
    }

private:
    static constexpr std::string_view dismiss_word = "dismiss_stop";

    /// Requests the station to send an unconfirmed stop no more.
    Exit dismiss(StationLink& link) {
        if (auto connected = link.connect(); !connected) return link.complain(connected.error().message);
        id_ = link.dismiss_stop(robot_);
        link.on_news([&] { hear(link); });
        const Exit how = link.run();
        return is_lost_ ? link.complain("the station has gone before it answered") : how;
    }

    void hear(StationLink& link) {
        for (const data::AnswerMessage& answer : link.picture().take_answers()) {
            if (answer.id != id_) continue;
            const bool refused = answer.kind == data::AnswerKind::refused;
            fmt::print(refused ? stderr : stdout, "{}\n", station::to_string(answer));
            std::fflush(stdout);  // in order, where both go to one pipe
            if (answer.final) return link.end(refused ? Exit::failed : Exit::ok);
        }
        if (link.connected()) return;
        is_lost_ = true;
        link.end(Exit::failed);
    }

    StationOptions station_;
    std::string robot_;
    std::vector<std::string> words_;
    std::uint64_t id_ = 0;
    bool is_lost_ = false;  ///< the connection ended before the final answer
};

}  // namespace

std::unique_ptr<Command> make_send_command() { return std::make_unique<SendCommand>(); }

}  // namespace caribou::app
