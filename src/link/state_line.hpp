#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "link/com_mode.hpp"
#include "link/run_mode.hpp"

namespace caribou::link {

/// The answer to `status brief=true`, from which a station learns the state of a robot without telemetry:
/// `RM1(TimedSleep) CM2 stopped`, or `RM3 CM2 not_stopped`.
struct StateLine {
    RunMode run_mode = RunMode::init;
    std::optional<WaitReason> waits_for{};
    ComMode com_mode = ComMode::cm0;
    bool stopped = false;  ///< a full stop is latched

    friend bool operator==(const StateLine&, const StateLine&) = default;
};

std::string to_string(const StateLine& line);
/// Returns nullopt if the text is not such a line.
std::optional<StateLine> state_line_from(std::string_view text);

}  // namespace caribou::link
