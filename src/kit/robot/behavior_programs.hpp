#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "behavior/difference.hpp"
#include "platform/system_processes.hpp"
#include "robot/behavior_program.hpp"
#include "robot/own_classes.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// A program of the key `ai.programs`, and what it has.
struct DescribedProgram {
    std::string name;                ///< as configured
    std::vector<std::string> words;  ///< its command line
    data::ProgramHello hello;
};

/// Starts each program for a moment, to learn its classes. Waits for at most 15 s for each. Fails with what
/// the program printed.
Result<std::vector<DescribedProgram>> describe_programs(const robot::RobotConfig& config);

/// Adds the classes of programs to those of `own`, which may be empty, for checks of trees. `error` is set to
/// why the classes of a program cannot be used.
robot::AddOwnClasses with_programs(robot::AddOwnClasses own, std::vector<DescribedProgram> programs,
                                   std::shared_ptr<std::string> error);

/// The programs of a robot that runs, on the thread of its behaviors.
class BehaviorPrograms final : public behavior::Observer {
public:
    /// Loop and log must outlive it.
    BehaviorPrograms(EventLoop& loop, const std::vector<DescribedProgram>& programs, Log& log);
    /// Registers their classes.
    void add(behavior::ClassRegistry& classes, const robot::RobotMeans& means);
    void start();
    void on_tick(const behavior::Difference& difference) override;

private:
    SystemProcesses processes_;
    Log& log_;
    std::vector<DescribedProgram> described_;
    std::vector<std::shared_ptr<robot::BehaviorProgram>> programs_;
};

}  // namespace caribou::app
