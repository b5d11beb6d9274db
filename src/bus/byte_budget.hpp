#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "loop/time.hpp"

namespace caribou::bus {

/// Bytes of the headers of IPv4 and UDP.
inline constexpr std::size_t udp_overhead = 28;

/// Limits the bytes per second of a link. A packet may be sent while the balance is positive, and may take it
/// below zero, so that a packet of any size can be sent. On average the limit holds.
class ByteBudget {
public:
    /// `per_second` 0: no limit. After a pause, the bytes of one second may be sent at once.
    explicit ByteBudget(double per_second) : per_second_(per_second), balance_(per_second) {}

    bool allows(Instant now) {
        if (per_second_ <= 0) return true;
        if (last_) balance_ = std::min(per_second_, balance_ + per_second_ * to_seconds(now - *last_));
        last_ = now;
        return balance_ > 0;
    }
    void spend(std::size_t bytes) {
        if (per_second_ > 0) balance_ -= static_cast<double>(bytes);
    }
    double per_second() const { return per_second_; }

private:
    double per_second_;
    double balance_;
    std::optional<Instant> last_{};
};

}  // namespace caribou::bus
