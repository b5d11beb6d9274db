#pragma once

#include <cstdint>
#include <string_view>

#include "behavior/value.hpp"

namespace caribou::behavior {

/// Something that happened between two ticks: a tap, a spoken word, a cube found. A behavior subscribes to
/// topics in init and receives their events in its next update.
struct Event {
    std::uint32_t number;    ///< of the topic, in this runner
    std::string_view topic;  ///< lives as long as the runner
    Value value;
};

}  // namespace caribou::behavior
