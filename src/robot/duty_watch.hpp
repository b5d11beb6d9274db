#pragma once

#include <optional>
#include <vector>

#include "base/log.hpp"
#include "loop/strand.hpp"
#include "loop/weak_self.hpp"
#include "motion/latch_store.hpp"
#include "motion/motion.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Watches, on main, the threads whose duty is part of stopping the robot: `stops`, which stores and answers
/// full stops, `signals`, which ends the robot, and `receiver`, over which its station stops it. If one of
/// them hangs, the robot stops until a person releases it (StopCause::thread_silent, receiver_silent). While
/// `stops` hangs, this object does its duty: it stores the stop and answers full stops. Main itself is
/// watched by propulsion, propulsion by its watchdog and the guard.
class DutyWatch {
public:
    /// All arguments must outlive this object. `receives`: the robot is configured to receive commands.
    DutyWatch(Strand& strand, RobotBuffers& buffers, motion::MotionControl& motion, motion::LatchStore& latch,
              Log& log, bool receives);

    /// Must be called every `look_period` on the strand. `is_ending`: the robot ends, so that a thread that
    /// has ended does not stop it.
    void look(bool is_ending);
    /// Returns whether the thread hangs. Only time during which look() was called counts: a pause of the
    /// whole process is not the thread's.
    bool is_silent(ThreadName who) const;

    static constexpr Duration look_period = std::chrono::milliseconds(100);

private:
    struct Watched {
        ThreadName who;
        motion::StopCause cause = motion::StopCause::thread_silent;
        Instant last{};  ///< its last sign of life
        Duration silence{};
    };
    /// Returns true if the thread has just become silent.
    bool update(Watched& thread, Duration gap);
    void store_stop(Instant now);
    void answer_stops(Instant now);

    Strand& strand_;
    RobotBuffers& buffers_;
    motion::MotionControl& motion_;
    motion::LatchStore& latch_;
    Log& log_;
    std::vector<Watched> watched_{{.who = ThreadName::stops}, {.who = ThreadName::signals}};
    std::optional<Instant> looked_{};
    Instant storing_since_{};
    std::optional<Result<void>> stored_{};  ///< of the stop that this object has stored; nullopt: not yet
    WeakSelf<DutyWatch> self_{*this};
};

}  // namespace caribou::robot
