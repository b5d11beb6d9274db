#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// When a program that has exited is restarted.
enum class Restart { never, on_failure, always };

struct LaunchProgram {
    std::string name{};
    std::vector<std::string> words{};  ///< program and arguments
    Restart restart = Restart::never;
    bool reads_input = false;  ///< Supervisor::write() is used

    friend bool operator==(const LaunchProgram&, const LaunchProgram&) = default;
};

struct LaunchPlan {
    std::vector<LaunchProgram> programs{};
    Duration between{};                        ///< time between the starts of two programs
    Duration grace = std::chrono::seconds(3);  ///< time between the request to exit and SIGKILL
    std::vector<MissionFinding> warnings{};
};

/// Returns the programs to start according to a mission file: its block ANTLER, or `[launch]` and
/// `[[program]]` in TOML. `broker` is the command that replaces MOOSDB; the path of the mission file is
/// appended. Its first word also replaces the first word of `Run = caribou COMMAND`. The error lists all
/// problems, one per line.
Result<LaunchPlan> plan_launch(const Mission& mission, const std::vector<std::string>& broker);

/// Returns the name of the program that reads a block: that of the `Run` line, or `[[program]]`, with the
/// block's name behind `~` or as an argument, without its folder; a command of `caribou` by its own name.
/// Otherwise the name of the block.
std::string program_of_block(const Mission& mission, std::string_view block);

/// Returns the problems with the parts of a mission file that concern a launch, in addition to the findings
/// in `mission`. A mission without such parts has none.
std::vector<MissionFinding> check_launch(const Mission& mission);

}  // namespace caribou::bus
