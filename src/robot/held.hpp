#pragma once

#include <cstddef>
#include <string_view>

namespace caribou::robot {

/// The size of a container of a robot, and its limit.
struct Held {
    std::string_view what;
    std::size_t count = 0;
    std::size_t limit = 0;
};

}  // namespace caribou::robot
