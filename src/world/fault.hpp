#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/time.hpp"

namespace caribou::world {

enum class FaultKind : std::uint8_t {
    dead_sensor,      ///< sensor `what` gives no readings
    stuck_motor,      ///< the motor of wheel `what` keeps its speed and ignores commands
    blocked_wheel,    ///< wheel `what` does not turn while its motor pulls
    lying_encoder,    ///< the encoder of wheel `what` counts `value` times the true distance; 0 is frozen
    low_battery,      ///< the battery drops to the fraction `value` immediately
    removed_charger,  ///< the charger is taken away
    picked_up,        ///< the robot is lifted off the floor
};

/// Something that fails at a given time and, if `until` is set, recovers at that time.
struct Fault {
    FaultKind kind{};
    Duration at{};
    std::optional<Duration> until{};
    std::size_t robot = 0;
    std::string what{};  ///< the name of a sensor, or `left` or `right`
    double value = 0;

    friend bool operator==(const Fault&, const Fault&) = default;
};

/// Returns the name used in files, such as `dead_sensor`.
std::string_view to_string(FaultKind kind);
std::optional<FaultKind> fault_kind(std::string_view name);
std::vector<std::string> fault_kinds();
/// Returns a description of the effect, for users.
std::string_view about(FaultKind kind);

/// Returns the valid values of `what` for this kind and a robot with these range sensors. Empty if the kind
/// does not use it.
std::vector<std::string> subjects_of(FaultKind kind, const std::vector<std::string>& range_names);

}  // namespace caribou::world
