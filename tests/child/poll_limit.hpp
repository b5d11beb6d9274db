#pragma once

#include "loop/time.hpp"

namespace caribou::tests {

/// Converts to the timeout of poll(2).
inline int milliseconds(Duration limit) {
    return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(limit).count());
}

}  // namespace caribou::tests
