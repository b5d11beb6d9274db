#pragma once

#include "loop/time.hpp"

namespace caribou::tests {

/// As poll(2) takes it.
inline int milliseconds(Duration limit) {
    return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(limit).count());
}

}  // namespace caribou::tests
