#pragma once

#include <array>
#include <optional>

#include "motion/motion.hpp"

namespace caribou::motion {

/// The latest order of every source, for as long as it lives.
class MotionOrders {
public:
    void put(const MotionOrder& order, Instant expires);
    /// Void from now on; they do not come back by themselves.
    void drop_all() { slots_.fill(std::nullopt); }
    void drop(MotionSource source) { slot(source).reset(); }
    void drop_all_but(const MotionSources& sources);
    /// Drops what has not been renewed. True: among it was the order that moved the robot.
    bool expire(Instant now);

    /// The order of the strongest source.
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
