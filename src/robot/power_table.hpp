#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "link/run_mode.hpp"

namespace caribou::robot {

/// Parts that can be switched off temporarily.
enum class Subsystem : std::uint8_t { motors, ai, cubes, sensors, telemetry, transmission, receiver };
inline constexpr std::size_t subsystem_count = 7;
std::string_view to_string(Subsystem subsystem);

/// Returns whether a subsystem stays on while the robot waits for this reason. Sensors are those that only
/// driving needs; battery and charger are read whenever telemetry is on.
///
/// |                   | motors | ai | cubes | sensors | telemetry | transmission | receiver |
/// |-------------------|--------|----|-------|---------|-----------|--------------|----------|
/// | Charging          |        |    |       |         | on        | on           | on       |
/// | WaitingToTransmit |        |    |       | on      | on        | on           | on       |
/// | WaitingToReceive  |        |    |       | on      | on        | on           | on       |
/// | TimedSleep        |        |    |       |         |           |              | on       |
/// | RequestedSleep    |        |    |       |         | on        | on           | on       |
bool is_powered(link::WaitReason reason, Subsystem subsystem);

/// Same, for every mode: in RM2 everything is on, in RM3 everything except the AI.
bool is_powered(link::RunMode mode, link::WaitReason reason, Subsystem subsystem);

}  // namespace caribou::robot
