#pragma once

#include <string>

#include "motion/motion.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// Writes what propulsion orders its wheels to do to a file, or to a pipe that is being read: a line
/// `NANOSECONDS RIGHT LEFT` (steady clock, m/s) at each change, right after the body had the order. For
/// measurements. Passes everything on.
class OrderTraceFile final : public motion::MotionEvents {
public:
    /// `next` outlives it.
    explicit OrderTraceFile(motion::MotionEvents& next) : next_(next) {}

    /// Before propulsion starts.
    Result<void> open(const std::string& path);

private:
    void on_answer(const motion::MotionAnswer& answer) override { next_.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override;

    motion::MotionEvents& next_;
    Descriptor file_;
    motion::WheelSpeeds last_{};
};

}  // namespace caribou
