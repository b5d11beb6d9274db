// `caribou guard`: a robot under a guard, explicitly.

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "kit/robot/robot_guard.hpp"
#include "kit/robot/robot_state.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

class GuardCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ =
            program.add_subcommand("guard", "Run a robot under a guard that stops its body from outside");
        parser_->add_flag(
            "--delegated", delegated_,
            "Move guard and robot to control groups of their own; needs Delegate=yes in the unit");
        parser_->add_option("WORDS", words_, "The robot's command line, after --: `robot --config FILE`")
            ->required();
        parser_->footer(
            "Examples:\n"
            "  caribou guard -- robot --config rover.toml\n"
            "`caribou robot` does the same for a body that can be stopped from outside. The exit status is\n"
            "that of the robot. See docs/safety.md for what the guard promises for which body.");
        return parser_;
    }

    Exit run() override {
        CLI::App robot;
        std::string path;
        robot.allow_extras();
        robot.add_option("-c,--config", path);
        if (words_.front() != "robot")
            return complain("expected `robot` after --, found `" + words_.front() + "`");
        try {
            robot.parse(std::vector<std::string>(words_.rbegin(), words_.rend() - 1));
        } catch (const CLI::ParseError& error) {
            return complain(error.what());
        }
        if (path.empty()) return complain("the robot's --config is required");
        const auto text = read_text_file(path, robot::max_config_size);
        if (!text) return complain(text.error().message, Exit::failed);
        const robot::ReadConfig read = robot::read_config(*text, path);
        if (!read.good()) return complain(read.errors(), Exit::failed);
        const auto plan = guard_plan_of(read.config);
        if (!plan) return complain(plan.error().message, Exit::failed);
        if (!*plan)
            return complain("this body cannot be stopped from outside the robot's process (docs/safety.md)",
                            Exit::failed);
        const auto lock = lock_robot(read.config, RobotLock::Holder::robot);
        if (!lock) return complain(lock.error().message, Exit::failed);
        std::vector<std::string> words{"caribou"};
        words.insert(words.end(), words_.begin(), words_.end());
        return run_guarded(read.config, path, **plan, std::move(words), delegated_, *lock);
    }

private:
    static Exit complain(const std::string& why, Exit with = Exit::usage) {
        fmt::print(stderr, "caribou guard: error: {}\n", why);
        return with;
    }

    CLI::App* parser_ = nullptr;
    std::vector<std::string> words_;
    bool delegated_ = false;
};

}  // namespace

std::unique_ptr<Command> make_guard_command() { return std::make_unique<GuardCommand>(); }

}  // namespace caribou::app
