#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/com_mode.hpp"
#include "link/run_mode.hpp"

namespace caribou::link {

using data::ComMode;
using data::to_string;

/// Parses `3`, `CM3` or `cm3`.
std::optional<ComMode> com_mode_from(std::string_view text);

struct Directions {
    bool sending = false;
    bool receiving = false;

    friend bool operator==(const Directions&, const Directions&) = default;
};
ComMode com_mode_of(Directions up);
Directions directions_of(ComMode mode);

/// Returns whether the combination is impossible: a robot driven by a station that it cannot receive.
constexpr bool is_invalid_pair(RunMode run, ComMode com) {
    return run == RunMode::rm3 && (com == ComMode::cm0 || com == ComMode::cm1);
}

}  // namespace caribou::link
