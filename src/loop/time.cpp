#include "loop/time.hpp"

#include <cmath>

namespace caribou {

Duration from_seconds(double seconds) {
    if (std::isnan(seconds)) return Duration::zero();
    const double nanoseconds = seconds * 1e9;
    if (nanoseconds >= static_cast<double>(Duration::max().count())) return Duration::max();
    if (nanoseconds <= static_cast<double>(Duration::min().count())) return Duration::min();
    return Duration(std::llround(nanoseconds));
}

}  // namespace caribou
