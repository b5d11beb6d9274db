#pragma once

#include <cstdint>

#include "motion/guard_message.hpp"

namespace caribou::motion {

enum class GuardState : std::uint8_t {
    watches,
    cut,     ///< it has stopped the body
    silent,  ///< it does not answer, or has ended
};

/// The guard, as propulsion sees it. Every call comes from the thread of propulsion, or from another one
/// while that does not run. No call blocks.
class MotionGuard {
public:
    virtual ~MotionGuard() = default;
    /// Reports a completed step, takes what the guard has sent, and returns its state.
    virtual GuardState exchange(const GuardFeed& feed) = 0;
    /// Rest was ordered, and no feed follows. `at_rest`: the body has confirmed it; otherwise the guard stops
    /// the body.
    virtual void bye(bool at_rest) = 0;
};

}  // namespace caribou::motion
