#pragma once

#include <cstddef>
#include <string_view>

namespace caribou::robot {

/// How much of something a robot holds, and how much it may.
struct Held {
    std::string_view what;
    std::size_t count = 0;
    std::size_t limit = 0;
};

}  // namespace caribou::robot
