#pragma once

#include <cstdint>

namespace caribou {

/// A small seeded pseudo-random generator (splitmix64). The same seed gives the same numbers on every
/// machine, which the standard distributions do not guarantee. Not suitable for cryptography.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next();
    /// Returns a uniformly distributed number in [0, bound). Requires bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// Returns a uniformly distributed number in [low, high]. Requires low <= high.
    std::int64_t between(std::int64_t low, std::int64_t high);
    /// Returns a number in [0, 1).
    double unit();
    bool chance(double probability) { return unit() < probability; }

private:
    std::uint64_t state_;
};

}  // namespace caribou
