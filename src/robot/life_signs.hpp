#pragma once

#include <array>

#include "motion/latch_store.hpp"
#include "motion/motion.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// The signs of life of all threads of a robot, and how often each of them loops.
class LifeSigns {
public:
    /// A thread without a sign of life for this time is not alive.
    static constexpr Duration alive_limit = std::chrono::seconds(2);

    /// All arguments must outlive this object.
    LifeSigns(RobotBuffers& buffers, const motion::MotionControl& motion, const motion::LatchStore& latch)
        : buffers_(buffers), motion_(motion), latch_(latch) {}

    /// Returns the latest sign of each thread, including those that do not write to the buffers. Thread-safe.
    std::array<Alive, thread_count> latest() const;
    /// Returns whether the robot has this thread: a simulated one has neither `signals` nor `latch`.
    static bool exists(ThreadName who, const Alive& seen);

    /// Measures the rates since the last call.
    void measure(Instant now);
    /// Returns the loops per second at the last measurement.
    double rate(ThreadName who) const { return rates_.at(static_cast<std::size_t>(who)); }

private:
    RobotBuffers& buffers_;
    const motion::MotionControl& motion_;
    const motion::LatchStore& latch_;
    std::array<Alive, thread_count> before_{};  ///< at the last measurement
    std::array<double, thread_count> rates_{};
    Instant measured_{};
};

}  // namespace caribou::robot
