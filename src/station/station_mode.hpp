#pragma once

#include <cstdint>
#include <string_view>

namespace caribou::station {

/// What a station is about with one robot.
enum class StationMode : std::uint8_t {
    init,   ///< what comes before every other
    wait,   ///< for the robot to call
    shake,  ///< connecting, and proving who we are
    run1,   ///< receiving telemetry, sending commands on demand
    run2,   ///< the same, and the autopilot sends commands
};
/// `run1`.
std::string_view to_string(StationMode mode);

/// Returns whether `to` may follow `from`.
///
/// | from  | to          |
/// |-------|-------------|
/// | init  | wait        |
/// | wait  | shake       |
/// | shake | run1, wait  |
/// | run1  | run2, wait  |
/// | run2  | run1, wait  |
bool may_follow(StationMode from, StationMode to);

/// Returns whether the robot is connected.
constexpr bool is_running(StationMode mode) { return mode == StationMode::run1 || mode == StationMode::run2; }

}  // namespace caribou::station
