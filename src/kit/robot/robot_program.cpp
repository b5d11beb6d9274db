#include "kit/robot/robot_program.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/robot_files/software_check.hpp"
#include "kit/robot/robot_guard.hpp"
#include "kit/robot/robot_local.hpp"
#include "kit/robot/robot_process.hpp"
#include "kit/robot/robot_self_check.hpp"
#include "kit/robot/robot_start.hpp"
#include "kit/robot/robot_state.hpp"
#include "link/command_table.hpp"
#include "platform/environment.hpp"
#include "platform/fresh_image.hpp"
#include "platform/print_if_writable.hpp"
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

}  // namespace

void RobotProgram::add_to(CLI::App& parser) {
    parser.add_option("-c,--config", path_, "Configuration file, TOML; see docs/robot-config.md");
    parser.add_flag("--check-config", check_,
                    "Check the configuration and the files that it names, and exit");
    parser.add_flag("--print-config", print_, "Print every value and where it comes from, and exit");
    parser.add_flag("--self-test", self_test_,
                    "Start all parts without moving, print what does not work, and exit");
    parser.add_flag("--self-check", self_check_,
                    "Turn the wheels, off the floor, to check all ways to stop them; store the result, "
                    "and exit");
    parser.add_flag("--yes", yes_, "Confirm that the wheels are off the floor, for --self-check");
    parser.add_flag("--delegated", delegated_,
                    "Move guard and robot to control groups of their own; needs Delegate=yes in the unit");
    place_.add_to(parser);
    parser.add_flag("--check-install", install_, "Check that the installed files are unchanged, and exit");
    parser.add_flag("--commands", commands_, "List the commands that a robot accepts, and exit");
    parser.add_flag("--config-page", page_, "Print docs/robot-config.md, and exit");
    stop_ = parser.add_subcommand("stop", "Stop a robot that runs on this machine, until it is released");
    stop_->add_option("-c,--config", path_, "The configuration that the robot was started with");
    release_ = parser.add_subcommand("release", "Release the full stop of a robot that runs on this machine");
    release_->add_option("-c,--config", path_, "The configuration that the robot was started with");
    power_off_ = parser.add_subcommand("power-off", "Switch off a robot that runs on this machine (RM0)");
    power_off_->add_option("-c,--config", path_, "The configuration that the robot was started with");
    maps_.add_to(parser, path_);
}

Exit RobotProgram::complain(const std::string& why, Exit with) const {
    print_if_writable(STDERR_FILENO, fmt::format("{}: {}\n", name_, why));
    return with;
}

Exit RobotProgram::check(const robot::ReadConfig& read) const {
    std::vector<behavior::TreeFault> warnings;
    const auto wrong = check_start(read.config, place_.folder(read.config.link_keys), own_, warnings);
    for (const auto& [key, why] : wrong) fmt::print(stderr, "{}\n", to_string(read.fault_of(key, why)));
    if (!wrong.empty()) return Exit::failed;
    fmt::print(stderr, "{}", to_string(warnings));
    std::size_t count = warnings.size();
    // The robot starts without this map, and a service has to: it may have been deleted from afar.
    const auto map = check_stored_map(read.config);
    if (!map) {
        ++count;
        const std::string why =
            fmt::format("warning: map.load: {}; it starts with a new map", map.error().message);
        fmt::print(stderr, "{}\n", to_string(read.fault_of("map.load", why)));
    }
    const std::string more =
        count == 0 ? "" : fmt::format(", with {} warning{}", count, count == 1 ? "" : "s");
    fmt::print("{} is good{}\n", path_, more);
    return Exit::ok;
}

Exit RobotProgram::run() {
    if (commands_) return print_commands(), Exit::ok;
    if (page_) return fmt::print("{}", robot::config_page()), Exit::ok;
    if (install_) return tell_install();
    if (path_.empty()) return complain("--config is required", Exit::usage);
    const auto text = read_text_file(path_, robot::max_config_size);
    if (!text) return complain(text.error().message, Exit::failed);
    const robot::ReadConfig read = robot::read_config(*text, path_);
    if (!read.good()) {
        fmt::print(stderr, "{}\n", read.errors());
        return Exit::failed;
    }
    if (stop_->parsed()) return stop_robot(read.config);
    if (release_->parsed()) return release_robot(read.config);
    if (power_off_->parsed()) return power_off_robot(read.config);
    if (maps_.parsed()) return maps_.run(read.config);
    if (print_) return fmt::print("{}", robot::print_config(read)), Exit::ok;
    if (check_) return check(read);
    if (yes_ && !self_check_) return complain("--yes is for --self-check", Exit::usage);
    if (self_test_ && self_check_)
        return complain("expected one of --self-test and --self-check", Exit::usage);
    return guarded(read.config);
}

Exit RobotProgram::guarded(const robot::RobotConfig& config) {
    if (const auto good = check_guard(config); !good) return complain(good.error().message, Exit::failed);
    auto guard = GuardLink::from_environment(clock_);
    if (!guard) return complain(guard.error().message, Exit::failed);
    const auto plan = guard_plan_of(config);
    if (!plan) return complain(plan.error().message, Exit::failed);
    std::vector<std::string> words = words_as_started();
    const auto lock =
        lock_robot(config, self_check_ ? RobotLock::Holder::self_check : RobotLock::Holder::robot,
                   *guard ? ::getppid() : 0);
    if (!lock) return complain(lock.error().message, Exit::failed);
    if (self_check_ && !yes_) {
        // Before anything moves: the guard and the robot have no terminal.
        if (*guard) return complain("--self-check under a guard needs --yes", Exit::usage);
        if (!confirm_wheels_up(config)) return Exit::usage;
        words.emplace_back("--yes");
    }
    if (!*plan && *guard)
        return complain(
            "the body of this configuration has no guard, but the program was started with one; start "
            "the program again, RM5 does not suffice",
            Exit::failed);
    if (*plan && !*guard) return run_guarded(config, path_, **plan, std::move(words), delegated_, *lock);
    return self_check_ ? check_self(config, guard->get()) : live(config, guard->get(), *lock);
}

Exit RobotProgram::check_self(const robot::RobotConfig& config, GuardLink* guard) const {
    const auto log = open_robot_log(config);
    if (!log) return complain(log.error().message, Exit::failed);
    return run_self_check(config, place_.folder(config.link_keys), guard, **log);
}

Exit RobotProgram::live(robot::RobotConfig config, GuardLink* guard, const std::optional<RobotLock>& lock) {
    auto opened = open_robot_log(config);
    if (!opened) return complain(opened.error().message, Exit::failed);
    const std::unique_ptr<BackgroundLog> log = std::move(*opened);
    if (self_test_) {
        config.handshake_limit = 0.1;
        config.connect_to_me = 3600;
    }
    const auto restart = [&](const std::string& reboots) {
        log->info("rebooting");
        log->flush();
        if (guard) guard->pass_to_fresh_image();
        if (lock) lock->pass_to_fresh_image();
        const Error error = start_fresh_image(reboots_variable, reboots);
        log->error(error.message);
        return error;
    };
    std::string reboots;
    {
        auto process = RobotProcess::make(
            config,
            {.config_path = path_,
             .reboots = environment(reboots_variable).value_or(""),
             .keys = place_.folder(config.link_keys),
             .key_folder = [this](const std::string& configured) { return place_.folder(configured); },
             .self_test = self_test_,
             .own = own_,
             .guard = guard,
             .restart = [&](const std::string& history) { restart(history); },
             .flush_log = [&] { log->flush(); }},
            *log);
        if (!process) return complain(process.error().message, Exit::failed);
        const auto end = (*process)->run();
        if (!end) return complain(end.error().message, Exit::failed);
        if (self_test_) return tell_self_test(*end, (*process)->faults());
        if ((*process)->was_asked()) return Exit::ok;
        if (end->mode != link::RunMode::rm5)
            return complain(fmt::format("{} is off (RM0): {}; it stays off until it is started again",
                                        config.name, end->why),
                            robot_off);
        reboots = (*process)->reboots();
    }
    // Everything has stopped: the new process image reads the configuration again.
    return complain(restart(reboots).message, Exit::failed);
}

Exit RobotProgram::tell_install() const {
    const InstallCheck check = check_install(manifest_of(own_program()));
    if (!check.files)
        return fmt::print("there is no {}: this program was not installed, nothing to check\n",
                          check.manifest),
               Exit::ok;
    for (const std::string& finding : check.findings) fmt::print(stderr, "{}: {}\n", name_, finding);
    if (!check.findings.empty()) return Exit::failed;
    return fmt::print("{} files are as they were installed\n", *check.files), Exit::ok;
}

Exit RobotProgram::tell_self_test(const robot::RobotEnd& end, const std::set<std::string>& faults) const {
    if (end.why != robot::ThreadMain::self_test_over) return complain(end.why, Exit::failed);
    if (faults.empty()) return fmt::print("everything works\n"), Exit::ok;
    return fmt::print("the robot starts, but has these faults: {}\n", fmt::join(faults, ", ")), Exit::ok;
}

}  // namespace caribou::app
