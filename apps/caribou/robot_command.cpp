// `caribou robot`: the on-board agent.

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "caribou/commands.hpp"
#include "caribou/key_place.hpp"
#include "caribou/robot_ask.hpp"
#include "caribou/robot_guard.hpp"
#include "caribou/robot_process.hpp"
#include "caribou/robot_self_check.hpp"
#include "caribou/robot_start.hpp"
#include "caribou/robot_state.hpp"
#include "link/command_table.hpp"
#include "platform/environment.hpp"
#include "platform/fresh_image.hpp"
#include "platform/guard_link.hpp"
#include "platform/software_check.hpp"
#include "platform/system_clock.hpp"
#include "platform/text_file.hpp"
#include "robot/config_schema.hpp"

namespace caribou::app {
namespace {

constexpr Exit robot_off{RobotProcess::rm0_status};
constexpr const char* reboots_variable = "CARIBOU_REBOOTS";

void print_commands() {
    for (const link::CommandRow& row : link::command_table()) {
        fmt::print("{:>3}  {:<18} {} ({})\n", static_cast<int>(row.code), row.name, row.what,
                   link::to_string(row.needs));
        for (const link::ArgumentRow& argument : row.arguments)
            fmt::print("       {:<16} {}{}: {}\n", argument.name, argument.required ? "required, " : "",
                       describe(argument), argument.what);
    }
}

class RobotCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand(
            "robot", "The on-board agent: modes, motion, behaviors, in a simulated room or a real one");
        parser_->add_option("-c,--config", path_, "Its configuration, TOML (docs/robot-config.md)");
        parser_->add_flag("--check-config", check_,
                          "Check the configuration and the files that it names, and end");
        parser_->add_flag("--print-config", print_, "Print every value and where it comes from, and end");
        parser_->add_flag("--self-test", self_test_,
                          "Start all parts without moving, print what does not work, and end");
        parser_->add_flag("--self-check", self_check_,
                          "Turn the wheels, off the floor, to check all ways to stop them; store the result, "
                          "and end");
        parser_->add_flag("--yes", yes_, "Confirm that the wheels are off the floor, for --self-check");
        parser_->add_flag("--delegated", delegated_,
                          "Move guard and robot to control groups of their own; the unit has Delegate=yes");
        place_.add_to(*parser_);
        parser_->add_flag("--check-install", install_,
                          "Say whether the installed files are as they were installed, and end");
        parser_->add_flag("--commands", commands_, "List the commands that a robot takes, and end");
        parser_->add_flag("--config-page", page_, "Print docs/robot-config.md, and end");
        release_ = parser_->add_subcommand("release", "Release the full stop of the robot that runs here");
        release_->add_option("-c,--config", path_, "The configuration that the robot was started with");
        power_off_ = parser_->add_subcommand("power-off", "Switch the robot that runs here off: RM0");
        power_off_->add_option("-c,--config", path_, "The configuration that the robot was started with");
        parser_->footer(
            "Examples:\n"
            "  caribou robot --config examples/robots/explorer.toml\n"
            "  caribou robot release --config examples/robots/explorer.toml\n"
            "  caribou robot --self-check --config examples/robots/my_base.toml\n"
            "It ends with 0 if a signal asked for it, and with 10 in RM0: off for good, not to be started "
            "again.\n"
            "docs/robot.md tells of modes and commands, docs/safety.md what holds whatever happens.");
        return parser_;
    }

    Exit run() override {
        if (commands_) return print_commands(), Exit::ok;
        if (page_) return fmt::print("{}", robot::config_page()), Exit::ok;
        if (install_) return tell_install();
        if (path_.empty()) return complain("--config is required", Exit::usage);
        const auto text = read_text_file(path_, robot::max_config_size);
        if (!text) return complain(text.error().message, Exit::failed);
        const robot::ReadConfig read = robot::read_config(*text, path_);
        if (!read.good()) {
            fmt::print(stderr, "{}\n", bus::error_lines(path_, read.findings));
            return Exit::failed;
        }
        if (release_->parsed())
            return ask(*release_, read.config, link::CommandCode::release_stop, "released");
        if (power_off_->parsed()) return ask(*power_off_, read.config, link::CommandCode::power_off, "off");
        if (print_) return fmt::print("{}", robot::print_config(read)), Exit::ok;
        if (check_) {
            if (const auto good = check_start(read.config); !good)
                return complain(good.error().message, Exit::failed);
            return fmt::print("{} is good\n", path_), Exit::ok;
        }
        if (yes_ && !self_check_) return complain("--yes is for --self-check", Exit::usage);
        if (self_test_ && self_check_)
            return complain("expected one of --self-test and --self-check", Exit::usage);
        return guarded(read.config);
    }

private:
    static Exit complain(const std::string& why, Exit with) {
        fmt::print(stderr, "caribou robot: {}\n", why);
        return with;
    }

    /// Needs no key, because the socket can only be opened by the robot's user and root. `result` is what
    /// the robot is after the command.
    static Exit ask(const CLI::App& verb, const robot::RobotConfig& config, link::CommandCode code,
                    std::string_view result) {
        const std::string path = state_file(config.name, config.link_record, ".sock");
        const auto answer =
            ask_robot(Address::unix_path(path), {.code = code}, "caribou robot " + verb.get_name());
        if (!answer)
            return complain(fmt::format("{} cannot be reached at {}: {}; is it running, and are you its user "
                                        "or root?",
                                        config.name, path, answer.error().message),
                            Exit::failed);
        if (answer->refusal) return complain(to_string(*answer), Exit::failed);
        return fmt::print("{} is {}{}{}\n", config.name, result, answer->text.empty() ? "" : "; ",
                          answer->text),
               Exit::ok;
    }

    /// Becomes the guard of a body that can be stopped from outside, and the robot otherwise.
    Exit guarded(const robot::RobotConfig& config) {
        if (const auto good = check_guard(config); !good) return complain(good.error().message, Exit::failed);
        auto guard = GuardLink::from_environment(clock_);
        if (!guard) return complain(guard.error().message, Exit::failed);
        const auto plan = guard_plan_of(config);
        if (!plan) return complain(plan.error().message, Exit::failed);
        std::vector<std::string> words = words_as_started();
        if (self_check_ && !yes_) {
            // Before anything moves: the guard and the robot have no terminal.
            if (const auto lock = lock_state(config, StateLock::Use::alone); !lock)
                return complain(lock.error().message + "; end the robot before its self-check", Exit::failed);
            if (*guard) return complain("--self-check under a guard needs --yes", Exit::usage);
            if (!confirm_wheels_up(config)) return Exit::usage;
            words.emplace_back("--yes");
        }
        if (*plan && !*guard) return run_guarded(config, **plan, std::move(words), delegated_);
        return self_check_ ? check_self(config, guard->get()) : live(config, guard->get());
    }

    Exit check_self(const robot::RobotConfig& config, GuardLink* guard) const {
        const auto log = open_robot_log(config);
        if (!log) return complain(log.error().message, Exit::failed);
        return run_self_check(config, place_.folder(config.link_keys), guard, **log);
    }

    Exit live(robot::RobotConfig config, GuardLink* guard) {
        auto opened = open_robot_log(config);
        if (!opened) return complain(opened.error().message, Exit::failed);
        const std::unique_ptr<Log> log = std::move(*opened);
        if (self_test_) {
            config.handshake_limit = 0.1;
            config.connect_to_me = 3600;
        }
        std::string reboots;
        {
            auto process = RobotProcess::make(config,
                                              {.config_path = path_,
                                               .reboots = environment(reboots_variable).value_or(""),
                                               .keys = place_.folder(config.link_keys),
                                               .self_test = self_test_,
                                               .guard = guard},
                                              *log);
            if (!process) return complain(process.error().message, Exit::failed);
            const auto end = (*process)->run();
            if (!end) return complain(end.error().message, Exit::failed);
            if (self_test_) return tell_self_test(*end, (*process)->faults());
            if ((*process)->was_asked()) return Exit::ok;
            if (end->mode != link::RunMode::rm5) return robot_off;
            reboots = (*process)->reboots();
        }
        // Everything has stopped: the new process image reads the configuration again.
        log->info("rebooting");
        if (guard) guard->pass_to_fresh_image();
        const Error error = start_fresh_image(reboots_variable, reboots);
        return complain(error.message, Exit::failed);
    }

    static Exit tell_install() {
        const InstallCheck check = check_install(manifest_of(own_program()));
        if (!check.files)
            return fmt::print("there is no {}: this program was not installed, nothing to check\n",
                              check.manifest),
                   Exit::ok;
        for (const std::string& finding : check.findings) fmt::print(stderr, "caribou robot: {}\n", finding);
        if (!check.findings.empty()) return Exit::failed;
        return fmt::print("{} files are as they were installed\n", *check.files), Exit::ok;
    }

    static Exit tell_self_test(const robot::RobotEnd& end, const std::set<std::string>& faults) {
        if (end.why != robot::ThreadMain::self_test_over) return complain(end.why, Exit::failed);
        if (faults.empty()) return fmt::print("everything works\n"), Exit::ok;
        return fmt::print("the robot starts, but has these faults: {}\n", fmt::join(faults, ", ")), Exit::ok;
    }

    CLI::App* parser_ = nullptr;
    CLI::App* release_ = nullptr;
    CLI::App* power_off_ = nullptr;
    SystemClock clock_;
    KeyPlace place_;
    std::string path_;
    bool check_ = false;
    bool print_ = false;
    bool self_test_ = false;
    bool self_check_ = false;
    bool yes_ = false;
    bool delegated_ = false;
    bool install_ = false;
    bool commands_ = false;
    bool page_ = false;
};

}  // namespace

std::unique_ptr<Command> make_robot_command() { return std::make_unique<RobotCommand>(); }

}  // namespace caribou::app
