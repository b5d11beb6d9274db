#pragma once

#include "robot/motion.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Carries what propulsion says to main. Its first step is the proof that it runs.
class MotionInbox final : public MotionEvents {
public:
    /// The buffers outlive it.
    explicit MotionInbox(RobotBuffers& buffers) : buffers_(buffers) {}

    void on_answer(const MotionAnswer& answer) override {
        if (answer.id != 0) buffers_.note(answer);
    }
    void on_report(const MotionReport&) override {
        if (!std::exchange(reported_, true)) buffers_.note(ThreadStarted{.who = ThreadName::propulsion});
    }

private:
    RobotBuffers& buffers_;
    bool reported_ = false;
};

}  // namespace caribou::robot
