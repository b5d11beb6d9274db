#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "link/run_mode.hpp"

namespace caribou::link {

/// Which directions of the link are up. Reported, never set.
enum class ComMode : std::uint8_t {
    cm0,  ///< unconnected
    cm1,  ///< only sending, over UDP
    cm2,  ///< only receiving, over TCP
    cm3,  ///< both
};
std::string_view to_string(ComMode mode);
/// `3`, `CM3` or `cm3`.
std::optional<ComMode> com_mode_from(std::string_view text);

struct Directions {
    bool sending = false;
    bool receiving = false;

    friend bool operator==(const Directions&, const Directions&) = default;
};
ComMode com_mode_of(Directions up);
Directions directions_of(ComMode mode);

/// What can never be: a robot that is steered by a station and cannot hear it.
constexpr bool is_invalid_pair(RunMode run, ComMode com) {
    return run == RunMode::rm3 && (com == ComMode::cm0 || com == ComMode::cm1);
}

}  // namespace caribou::link
