#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "adapters/body/guard_link.hpp"
#include "adapters/body/robot_lock.hpp"
#include "kit/program/exit.hpp"
#include "kit/program/key_place.hpp"
#include "kit/robot/robot_maps.hpp"
#include "platform/system_clock.hpp"
#include "robot/own_classes.hpp"
#include "robot/robot_config.hpp"
#include "robot/thread_main.hpp"

namespace caribou::app {

/// The command line of a robot: `caribou robot`, and programs with classes of their own.
class RobotProgram {
public:
    /// `name` begins the messages. `own` adds classes to those of every robot; may be empty.
    explicit RobotProgram(std::string name, robot::AddOwnClasses own = {})
        : name_(std::move(name)), own_(std::move(own)) {}

    /// Adds the options and the commands `stop`, `release`, `power-off` and `map`.
    void add_to(CLI::App& parser);
    /// Must be called after the command line was parsed.
    Exit run();

private:
    Exit complain(const std::string& why, Exit with) const;
    Exit check(const robot::ReadConfig& read) const;
    /// Becomes the guard of a body that can be stopped from outside, and the robot otherwise.
    Exit guarded(const robot::RobotConfig& config);
    Exit check_self(const robot::RobotConfig& config, GuardLink* guard) const;
    Exit live(robot::RobotConfig config, GuardLink* guard, const std::optional<RobotLock>& lock);
    Exit tell_install() const;
    Exit tell_self_test(const robot::RobotEnd& end, const std::set<std::string>& faults) const;

    std::string name_;
    robot::AddOwnClasses own_;
    CLI::App* stop_ = nullptr;
    CLI::App* release_ = nullptr;
    CLI::App* power_off_ = nullptr;
    RobotMaps maps_;
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

}  // namespace caribou::app
