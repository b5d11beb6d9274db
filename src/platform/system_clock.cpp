#include "platform/system_clock.hpp"

namespace caribou {

Instant SystemClock::now() const { return Instant(std::chrono::steady_clock::now().time_since_epoch()); }

WallTime SystemClock::wall() const { return std::chrono::system_clock::now(); }

}  // namespace caribou
