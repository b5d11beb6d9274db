#include "motion/motion_orders.hpp"

namespace caribou::motion {

void MotionOrders::put(const MotionOrder& order, Instant expires) { slot(order.source) = {order, expires}; }

void MotionOrders::drop_all_but(const MotionSources& sources) {
    for (auto& live : slots_)
        if (live && !sources.contains(live->order.source)) live.reset();
}

bool MotionOrders::expire(Instant now) {
    const MotionOrder* const moving = winner();
    const auto source =
        moving != nullptr && !moving->command.is_halt() ? std::optional(moving->source) : std::nullopt;
    for (auto& live : slots_)
        if (live && live->expires <= now) live.reset();
    return source && !slot(*source);
}

const MotionOrder* MotionOrders::winner() const {
    for (const auto& live : slots_)
        if (live) return &live->order;
    return nullptr;
}

}  // namespace caribou::motion
