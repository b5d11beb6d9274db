#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "data/run_mode.hpp"
#include "data/wait_reason.hpp"

namespace caribou::link {

using data::RunMode;
using data::to_string;
using data::WaitReason;

/// Parses `3`, `RM3`, `rm3` or `init`.
std::optional<RunMode> run_mode_from(std::string_view text);

std::optional<WaitReason> wait_reason_from(std::string_view text);

/// Events that can end the wait of RM1.
enum class WakeSignal : std::uint8_t {
    fully_charged,
    transmit_connection,
    receive_connection,
    timer_up,
    server_requested,
    power_off,  ///< changes to RM0
};
std::string_view to_string(WakeSignal signal);

/// Returns the three signals that end a wait for this reason.
std::span<const WakeSignal> signals_of(WaitReason reason);
bool ends(WakeSignal signal, WaitReason reason);

}  // namespace caribou::link
