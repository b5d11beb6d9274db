#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/random.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// How long to wait before the next attempt to connect: the first one comes at once, then the
/// pauses double up to a second. Each is drawn from the upper half of its span, so that clients
/// that have lost the same broker do not come back all at once.
class Reconnect {
public:
    static constexpr Duration first_pause = std::chrono::milliseconds(50);
    static constexpr Duration max_pause = std::chrono::seconds(1);
    /// A connection that did not hold this long does not count as a success: a broker that ends
    /// every connection at once is not to be stormed.
    static constexpr Duration steady = std::chrono::seconds(1);

    Reconnect(std::uint64_t seed, std::string_view name);

    /// The pause before the next attempt; never more than max_pause.
    Duration next();
    /// A connection stood for so long.
    void stood(Duration time);
    void reset() { span_ = Duration::zero(); }

private:
    Random random_;
    Duration span_{0};
};

}  // namespace caribou::bus
