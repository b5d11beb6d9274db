#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace caribou::link {

/// The operating mode of a robot.
enum class RunMode : std::uint8_t {
    rm0,   ///< all stop, no recovery
    rm1,   ///< active wait: always with a WaitReason
    rm2,   ///< autonomous: navigation computed on board
    rm3,   ///< server mode: navigation computed by the station
    rm4,   ///< reserved; as a command the same as RM5
    rm5,   ///< reboot
    init,  ///< start-up, before any other mode
};
/// Returns `RM3`, `init`.
std::string_view to_string(RunMode mode);
/// Parses `3`, `RM3`, `rm3` or `init`.
std::optional<RunMode> run_mode_from(std::string_view text);

/// Why a robot waits in RM1.
enum class WaitReason : std::uint8_t {
    charging,
    waiting_to_transmit,
    waiting_to_receive,
    timed_sleep,
    requested_sleep,
};
std::string_view to_string(WaitReason reason);
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
