#pragma once

#include <cstdint>

namespace caribou {

/// A small seeded generator (splitmix64): the same seed gives the same numbers on every machine,
/// which the standard distributions do not promise. Not for secrets.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next();
    /// A number in [0, bound); bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// A number in [low, high], both included.
    std::int64_t between(std::int64_t low, std::int64_t high);
    /// A number in [0, 1).
    double unit();
    bool chance(double probability) { return unit() < probability; }

private:
    std::uint64_t state_;
};

}  // namespace caribou
