#pragma once

#include <algorithm>
#include <cstdint>

#include "loop/time.hpp"

namespace caribou::tests {

/// Converts to the timeout of poll(2), for which a negative one would be none.
inline int milliseconds(Duration limit) {
    const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(limit).count();
    return static_cast<int>(std::max<std::int64_t>(count, 0));
}

}  // namespace caribou::tests
