#pragma once

#include <atomic>

namespace caribou::tests {

/// Seconds by which the time of day of a program is shifted; the content of a file that the test shares with
/// it.
using SharedShift = std::atomic<long>;  // tidy: allow lock: it is shared with another process

}  // namespace caribou::tests
