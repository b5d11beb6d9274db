#include "base/random.hpp"

#include "base/check.hpp"

namespace caribou {

std::uint64_t Random::next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t bound) {
    check(bound > 0, "Random::below needs a bound above 0");
    // Reject numbers past the last whole multiple of bound; they would favor small results.
    const std::uint64_t end = UINT64_MAX - UINT64_MAX % bound;
    std::uint64_t drawn = next();
    while (drawn >= end) drawn = next();
    return drawn % bound;
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
    check(low <= high, "Random::between needs low <= high");
    // Unsigned, because the difference of two signed numbers may not fit a signed one.
    const std::uint64_t distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const std::uint64_t step = distance == UINT64_MAX ? next() : below(distance + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

}  // namespace caribou
