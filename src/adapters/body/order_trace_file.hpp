#pragma once

#include <string>

#include "motion/motion.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// Writes the wheel orders of propulsion to a file or pipe: a line `NANOSECONDS RIGHT LEFT` (steady clock,
/// m/s) at each change, right after the body received the order. For measurements. Forwards all events.
class OrderTraceFile final : public motion::MotionEvents {
public:
    /// `next` must outlive this object.
    explicit OrderTraceFile(motion::MotionEvents& next) : next_(next) {}

    /// Must be called before propulsion starts.
    Result<void> open(const std::string& path);

private:
    void on_answer(const motion::MotionAnswer& answer) override { next_.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override;

    motion::MotionEvents& next_;
    Descriptor file_;
    motion::WheelSpeeds last_{};
};

}  // namespace caribou
