#pragma once

#include <string>

#include "platform/descriptor.hpp"
#include "robot/motion.hpp"

namespace caribou {

/// Writes what propulsion orders its wheels to do to a file, or to a pipe that is being read: a line
/// `NANOSECONDS RIGHT LEFT` (steady clock, m/s) at each change, right after the body had the order. For
/// measurements. Passes everything on.
class OrderTraceFile final : public robot::MotionEvents {
public:
    /// `next` outlives it.
    explicit OrderTraceFile(robot::MotionEvents& next) : next_(next) {}

    /// Before propulsion starts.
    Result<void> open(const std::string& path);

private:
    void on_answer(const robot::MotionAnswer& answer) override { next_.on_answer(answer); }
    void on_report(const robot::MotionReport& report) override;

    robot::MotionEvents& next_;
    Descriptor file_;
    robot::WheelSpeeds last_{};
};

}  // namespace caribou
