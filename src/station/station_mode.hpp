#pragma once

#include "data/station_mode.hpp"

namespace caribou::station {

using data::StationMode;
using data::to_string;

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
