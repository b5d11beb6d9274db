// `caribou body check`: a driver on the desk, wheels up.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/robot_body.hpp"
#include "driver/body_check.hpp"
#include "platform/console_log.hpp"
#include "platform/driver_line.hpp"
#include "platform/event_loop.hpp"
#include "platform/guarded_body.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {
namespace {

constexpr Duration look_pause = std::chrono::milliseconds(1);
/// For a driver to carry out an order, before it is killed.
constexpr Duration halt_time = std::chrono::milliseconds(200);

class BodyCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("body", "Check the driver of a robot's body on the desk");
        check_ = parser_->add_subcommand(
            "check", "Start the driver of a configuration, turn its wheels slowly, and print what works");
        check_->add_option("CONFIG", path_, "The robot's configuration, with body.kind = \"driver\"")
            ->required();
        parser_->footer(
            "Put the robot on a stand first: the wheels turn at 0.1 m/s for some seconds.\n"
            "Examples:\n"
            "  caribou body check examples/robots/my_base.toml\n"
            "It ends with 1 if something that the driver promises does not hold (docs/formats/driver.md).");
        return parser_;
    }

    Exit run() override {
        if (!check_->parsed()) return fmt::print("{}", parser_->help()), Exit::usage;
        const auto text = read_text_file(path_, robot::max_config_size);
        if (!text) return complain(text.error().message);
        const robot::ReadConfig read = robot::read_config(*text, path_);
        if (!read.good()) {
            fmt::print(stderr, "{}\n", bus::error_lines(path_, read.findings));
            return Exit::failed;
        }
        if (read.config.body != "driver")
            return complain(
                fmt::format("{}: body.kind is \"{}\"; expected \"driver\"", path_, read.config.body));
        return check(read.config);
    }

private:
    static Exit complain(const std::string& why) {
        fmt::print(stderr, "caribou body check: error: {}\n", why);
        return Exit::failed;
    }

    static Exit check(const robot::RobotConfig& config) {
        ConsoleLog log(Level::warning);
        auto body = GuardedBody::open({.driver = config.body_command, .device = config.body_device}, log);
        if (!body) return complain(body.error().message);
        auto socket = (*body)->restore(-1);
        if (!socket) return complain(socket.error().message);
        const auto line = driver_line(std::move(*socket));
        EventLoop loop;
        driver::BodyCheck check(*line, loop.clock().now());
        std::size_t printed = 0;
        std::unique_ptr<Timer> timer;
        timer = loop.make_timer([&] {
            const bool over = check.step(loop.clock().now());
            for (; printed < check.findings().size(); ++printed) print(check.findings()[printed]);
            if (over) return loop.stop();
            timer->arm(loop.clock().now() + look_pause);
        });
        timer->arm(loop.clock().now());
        loop.stop_on_signals({SIGINT, SIGTERM, SIGHUP});
        loop.run();
        if (!check.is_over()) {
            check.halt(loop.clock().now());
            loop.run_until([] { return false; }, halt_time);
            (*body)->cut(check.hello() ? facts_of(*check.hello()) : motion::DriverFacts{});
            return complain("interrupted; the wheels were ordered to rest");
        }
        return check.good() && person_confirms(check) ? Exit::ok : Exit::failed;
    }

    /// Asks on the terminal for what was not measured. Returns true if nothing is left to ask, or nobody can
    /// be asked.
    static bool person_confirms(const driver::BodyCheck& check) {
        const auto left = std::ranges::find(check.findings(), driver::BodyCheck::left_wheel,
                                            &driver::BodyCheck::Finding::what);
        if (left == check.findings().end() || left->outcome != motion::CheckOutcome::unverified) return true;
        if (::isatty(STDIN_FILENO) == 0) return true;
        for (std::string line;;) {
            fmt::print("After both wheels had turned, which wheel turned alone? Type left or right: ");
            std::fflush(stdout);
            if (!std::getline(std::cin, line)) return true;  // nobody answers
            if (line != "left" && line != "right") continue;
            const bool is_left = line == "left";
            print({left->what, is_left ? motion::CheckOutcome::passed : motion::CheckOutcome::failed,
                   is_left ? "as seen by a person" : "not as seen by a person; exchange left and right"});
            return is_left;
        }
    }

    static void print(const driver::BodyCheck::Finding& finding) {
        constexpr std::array<std::string_view, 3> words{"ok", "FAILED", "unverified"};
        fmt::print("{:<10} {:<22} {}\n", words.at(static_cast<std::size_t>(finding.outcome)), finding.what,
                   finding.text);
        std::fflush(stdout);
    }

    CLI::App* parser_ = nullptr;
    CLI::App* check_ = nullptr;
    std::string path_;
};

}  // namespace

std::unique_ptr<Command> make_body_command() { return std::make_unique<BodyCommand>(); }

}  // namespace caribou::app
