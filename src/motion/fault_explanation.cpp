#include "motion/fault_explanation.hpp"

#include <array>

namespace caribou::motion {

std::string_view explanation(MotionFault fault) {
    static constexpr std::array<std::string_view, static_cast<std::size_t>(last_motion_fault) + 1> texts = {
        "the motor driver reports a fault, or cannot be enabled; check it and its cables",
        "a wheel turns differently from its order, or without one; check encoders, motors and their cables",
        "propulsion was not executed for longer than safety.stall_after, or was late ten times in a row: the "
        "machine is too busy, or the process was stopped; allow real-time priority (docs/service.md), or "
        "give the machine less to do",
        "a required sensor gives no reading; check it and its cable",
        "the battery is almost empty; charge it",
        "the motors may still be on; cut their supply",
        "the guard has ended, or does not answer: the machine is too busy, or it was killed or stopped",
    };
    return texts.at(static_cast<std::size_t>(fault));
}

}  // namespace caribou::motion
