#pragma once

#include <array>
#include <optional>

#include "motion/motion.hpp"

namespace caribou::motion {

/// The latest order of each source, until it expires.
class MotionOrders {
public:
    /// Replaces the order of its source.
    void put(const MotionOrder& order, Instant expires);
    /// Cancels all orders.
    void drop_all() { slots_.fill(std::nullopt); }
    void drop(MotionSource source) { slot(source).reset(); }
    /// Cancels the orders of all sources that are not in the set.
    void drop_all_but(const MotionSources& sources);
    /// Removes expired orders. Returns whether one of them was being executed.
    bool expire(Instant now);

    /// Returns the order of the source with the highest priority, or null.
    const MotionOrder* winner() const;

private:
    struct Live {
        MotionOrder order;
        Instant expires;
    };
    static constexpr std::size_t count = static_cast<std::size_t>(MotionSource::ai) + 1;
    std::optional<Live>& slot(MotionSource source) { return slots_.at(static_cast<std::size_t>(source)); }

    std::array<std::optional<Live>, count> slots_;
};

}  // namespace caribou::motion
