#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// When a program that has ended is started again.
enum class Restart { never, on_failure, always };

struct LaunchProgram {
    std::string name{};
    std::vector<std::string> words{};  ///< the program and its arguments
    Restart restart = Restart::never;

    friend bool operator==(const LaunchProgram&, const LaunchProgram&) = default;
};

struct LaunchPlan {
    std::vector<LaunchProgram> programs{};
    Duration between{};                        ///< the start of one and of the next
    Duration grace = std::chrono::seconds(3);  ///< from the request to end to the end by force
    std::vector<MissionFinding> warnings{};
};

/// What a mission file says about programs to start: in the block ANTLER, or in TOML in `[launch]`
/// and `[[program]]`. `broker` is what runs in place of MOOSDB; the mission file follows. The error
/// is everything that is wrong, a line each.
Result<LaunchPlan> plan_launch(const Mission& mission, const std::vector<std::string>& broker);

}  // namespace caribou::bus
