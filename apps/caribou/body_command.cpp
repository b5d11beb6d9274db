// `caribou body check`: a driver on the desk, wheels up.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "caribou/body_check_run.hpp"
#include "caribou/commands.hpp"
#include "driver/body_check.hpp"
#include "kit/robot/robot_state.hpp"
#include "platform/console_log.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {
namespace {

class BodyCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("body", "Check the driver of a robot's body");
        check_ = parser_->add_subcommand(
            "check", "Start the driver of a configuration, turn its wheels slowly, and print what works");
        check_->add_option("CONFIG", path_, "The robot's configuration, with body.kind = \"driver\"")
            ->required();
        check_->add_flag(
            "--calibrate", calibrates_,
            "Measure how fast the wheels turn per order, and print the settings of a closed loop");
        parser_->footer(
            "Put the robot on a stand first: the wheels turn at 0.1 m/s for some seconds, with --calibrate "
            "at up to\n"
            "0.2 m/s for 14 s.\n"
            "Examples:\n"
            "  caribou body check examples/robots/my_base.toml\n"
            "  caribou body check --calibrate examples/robots/my_base.toml\n"
            "The exit status is 1 if the driver does not keep its contract (docs/formats/driver.md).");
        return parser_;
    }

    Exit run() override {
        if (!check_->parsed()) return fmt::print("{}", parser_->help()), Exit::usage;
        const auto text = read_text_file(path_, robot::max_config_size);
        if (!text) return complain(text.error().message);
        const robot::ReadConfig read = robot::read_config(*text, path_);
        if (!read.good()) {
            fmt::print(stderr, "{}\n", read.errors());
            return Exit::failed;
        }
        if (read.config.body != "driver")
            return complain(
                fmt::format("{}: body.kind is \"{}\"; expected \"driver\"", path_, read.config.body));
        const auto lock = lock_robot(read.config, RobotLock::Holder::body_check);
        if (!lock) return complain(lock.error().message);
        if (const std::string stop = stored_stop(read.config); !stop.empty())
            return complain(fmt::format(
                "{}; start the robot and release it with `caribou robot release --config {}` first", stop,
                path_));
        return calibrates_ ? calibrate(read.config) : check(read.config);
    }

private:
    static Exit complain(const std::string& why) {
        fmt::print(stderr, "caribou body check: error: {}\n", why);
        return Exit::failed;
    }

    static Exit check(const robot::RobotConfig& config) {
        ConsoleLog log(Level::warning);
        const auto findings = check_body(config, log, print);
        if (!findings) return complain(findings.error().message);
        const bool is_good = std::ranges::none_of(*findings, [](const driver::BodyCheck::Finding& finding) {
            return finding.outcome == motion::CheckOutcome::failed;
        });
        return is_good && person_confirms(*findings) ? Exit::ok : Exit::failed;
    }

    static Exit calibrate(const robot::RobotConfig& config) {
        ConsoleLog log(Level::warning);
        const auto measured = calibrate_body(config, log);
        if (!measured) return complain(measured.error().message);
        const auto right = driver::fit_wheel(measured->right);
        const auto left = driver::fit_wheel(measured->left);
        if (!right) return complain("right wheel: " + right.error().message);
        if (!left) return complain("left wheel: " + left.error().message);
        for (const auto& [name, fit] : {std::pair("right", *right), std::pair("left", *left)})
            fmt::print("# {} wheel: orders fit within {:.3f} m/s\n", name, fit.worst);
        fmt::print("{}", driver::calibration_text(*right, *left));
        return Exit::ok;
    }

    /// Asks on the terminal for what was not measured. Returns true if nothing is left to ask, or nobody can
    /// be asked.
    static bool person_confirms(const std::vector<driver::BodyCheck::Finding>& findings) {
        const auto left =
            std::ranges::find(findings, driver::BodyCheck::left_wheel, &driver::BodyCheck::Finding::what);
        if (left == findings.end() || left->outcome != motion::CheckOutcome::unverified) return true;
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
    bool calibrates_ = false;
};

}  // namespace

std::unique_ptr<Command> make_body_command() { return std::make_unique<BodyCommand>(); }

}  // namespace caribou::app
