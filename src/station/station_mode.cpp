#include "station/station_mode.hpp"

#include <array>

namespace caribou::station {

std::string_view to_string(StationMode mode) {
    constexpr std::array<std::string_view, 5> names{"init", "wait", "shake", "run1", "run2"};
    return names[static_cast<std::size_t>(mode)];
}

bool may_follow(StationMode from, StationMode to) {
    using enum StationMode;
    switch (to) {
        case init: return false;
        case wait: return from != wait;
        case shake: return from == wait;
        case run1: return from == shake || from == run2;
        case run2: return from == run1;
    }
    return false;
}

}  // namespace caribou::station
