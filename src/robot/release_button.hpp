#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/log.hpp"
#include "loop/clock.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/robot_request.hpp"

namespace caribou::robot {

/// Turns presses of the release button into requests to the robot. A release counts from when the button was
/// pressed, not from when it was let go: a full stop that takes effect meanwhile is not undone.
class ReleaseButton {
public:
    using Submit = std::function<void(Request)>;

    /// All arguments must outlive this object. `submit` is called by press().
    ReleaseButton(const Clock& clock, RobotBuffers& buffers, Log& log, Submit submit)
        : clock_(clock), buffers_(buffers), log_(log), submit_(std::move(submit)) {}

    /// The button was pressed at that time, and let go now. Must be called by one thread at a time.
    void press(Instant pressed);

private:
    const Clock& clock_;
    RobotBuffers& buffers_;
    Log& log_;
    Submit submit_;
    std::uint64_t session_ = buffers_.open_session();
    std::uint64_t presses_ = 0;
};

}  // namespace caribou::robot
