#include "station/station_mode.hpp"

namespace caribou::station {

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
