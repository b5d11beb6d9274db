#include "link/run_mode.hpp"

#include <algorithm>
#include <array>

#include "link/names.hpp"

namespace caribou::link {
namespace {

constexpr std::array<std::string_view, 6> signal_names{
    "FullyCharged", "TransmitConnection", "ReceiveConnection", "TimerUp", "ServerRequested", "PowerOff"};

using enum WakeSignal;
/// By reason: the event it waits for, and those that end every wait.
constexpr std::array<std::array<WakeSignal, 3>, 5> signals{{
    {fully_charged, server_requested, power_off},
    {transmit_connection, server_requested, power_off},
    {receive_connection, server_requested, power_off},
    {timer_up, server_requested, power_off},
    {timer_up, server_requested, power_off},
}};

}  // namespace

std::string_view to_string(WakeSignal signal) { return name_in(signal_names, signal); }

std::optional<RunMode> run_mode_from(std::string_view text) {
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '5') return static_cast<RunMode>(text[0] - '0');
    return named_up_to(RunMode::init, text);
}

std::optional<WaitReason> wait_reason_from(std::string_view text) {
    return named_up_to(WaitReason::requested_sleep, text);
}

std::span<const WakeSignal> signals_of(WaitReason reason) {
    return signals[static_cast<std::size_t>(reason)];
}

bool ends(WakeSignal signal, WaitReason reason) {
    return std::ranges::find(signals_of(reason), signal) != signals_of(reason).end();
}

}  // namespace caribou::link
