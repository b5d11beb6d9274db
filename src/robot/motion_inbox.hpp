#pragma once

#include "motion/motion.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Forwards the events of propulsion: answers and its first step to main, changes of the latched stop to the
/// stop desk.
class MotionInbox final : public motion::MotionEvents {
public:
    /// The buffers must outlive this object.
    explicit MotionInbox(RobotBuffers& buffers) : buffers_(buffers) {}

    void on_answer(const motion::MotionAnswer& answer) override {
        if (answer.id != 0) buffers_.note(answer);
    }
    void on_report(const motion::MotionReport& report) override {
        if (!std::exchange(reported_, true)) buffers_.note(ThreadStarted{.who = ThreadName::propulsion});
        if (std::exchange(stop_, report.stop) != report.stop && buffers_.stop_cmd)
            std::ignore = buffers_.stop_cmd->push(StopChanged{report.stop});
    }

private:
    RobotBuffers& buffers_;
    bool reported_ = false;
    std::optional<motion::StopCause> stop_{};
};

}  // namespace caribou::robot
