#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/random.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// Computes the pause before the next connection attempt: none before the first one, then doubling up to one
/// second. Each pause is drawn from the upper half of its range, so that clients of the same broker do not
/// all reconnect at the same time.
class Reconnect {
public:
    static constexpr Duration first_pause = std::chrono::milliseconds(50);
    static constexpr Duration max_pause = std::chrono::seconds(1);
    /// A connection shorter than this does not reset the pauses, because a broker that closes every
    /// connection at once must not be flooded.
    static constexpr Duration steady = std::chrono::seconds(1);

    Reconnect(std::uint64_t seed, std::string_view name);

    /// Returns the pause before the next attempt; at most max_pause.
    Duration next();
    /// Must be called after a connection, with its duration.
    void stood(Duration time);
    void reset() { span_ = Duration::zero(); }

private:
    Random random_;
    Duration span_{0};
};

}  // namespace caribou::bus
