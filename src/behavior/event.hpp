#pragma once

#include <cstdint>
#include <string_view>

#include "behavior/value.hpp"

namespace caribou::behavior {

/// Something that happened between two ticks: a tap, a word heard, a cube found. A behavior names
/// in init the topics that it wants, and finds their events in its next update.
struct Event {
    std::uint32_t number;    ///< of the topic, in this runner
    std::string_view topic;  ///< lives as long as the runner
    Value value;
};

}  // namespace caribou::behavior
