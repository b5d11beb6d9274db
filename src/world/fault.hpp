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
    dead_sensor,      ///< `what` gives no readings
    stuck_motor,      ///< the motor of wheel `what` goes on as it is, whatever it is told
    blocked_wheel,    ///< wheel `what` does not turn; its motor pulls
    lying_encoder,    ///< the encoder of wheel `what` counts `value` times what is true; 0 is frozen
    low_battery,      ///< the battery is down to the share `value`, at once
    removed_charger,  ///< somebody has taken it away
    picked_up,        ///< somebody holds the robot
};

/// Something that goes wrong at a moment, and, if `until` is given, mends again.
struct Fault {
    FaultKind kind{};
    Duration at{};
    std::optional<Duration> until{};
    std::size_t robot = 0;
    std::string what{};  ///< a sensor's name, or `left` or `right`
    double value = 0;

    friend bool operator==(const Fault&, const Fault&) = default;
};

/// `dead_sensor`, as files write it.
std::string_view to_string(FaultKind kind);
std::optional<FaultKind> fault_kind(std::string_view name);
std::vector<std::string> fault_kinds();
/// What it does, for people.
std::string_view about(FaultKind kind);

/// What `what` can be for this kind, for a robot with these range sensors. Empty: it needs none.
std::vector<std::string> subjects_of(FaultKind kind, const std::vector<std::string>& range_names);

}  // namespace caribou::world
