#include "platform/system_clock.hpp"

#include <time.h>

namespace caribou {

Instant SystemClock::now() const { return Instant(std::chrono::steady_clock::now().time_since_epoch()); }

WallTime SystemClock::wall() const { return std::chrono::system_clock::now(); }

double SystemClock::boot_seconds() const {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace caribou
