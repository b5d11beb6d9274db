#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "loop/limited_log.hpp"
#include "loop/strand.hpp"
#include "loop/weak_self.hpp"
#include "motion/motion.hpp"
#include "motion/stop_latch.hpp"
#include "robot/answer_book.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Stores and answers full stops, and carries out releases, on a strand of its own, so that both work while
/// the robot's main thread hangs. Submitted requests have stopped propulsion before (stop_now()). Each is
/// answered exactly once: DONE when propulsion has confirmed the stop and it is stored.
class StopDesk {
public:
    /// All arguments must outlive this object.
    StopDesk(Strand& strand, motion::MotionControl& motion, RobotBuffers& buffers, motion::LatchStore& store,
             Log& log);

    /// Starts its signs of life. Thread-safe.
    void start();
    /// Must be called on its strand, or while that does not run.
    void stop();

    using Answered = std::function<void(const link::Answer&)>;
    /// Releases the stop, unless a stop was requested or took effect after the release was given. `answered`
    /// is called once, on this strand. The caller has checked that the peer may release. Thread-safe.
    void release(const Request& request, Answered answered);
    /// Answers all pending stops and releases as far as they have been carried out, because the program ends.
    /// Thread-safe.
    void finish();

private:
    void on_items();
    void take(const Request& request);
    void take(const StopChanged& note);
    std::optional<link::Objection> release_now(const Request& request);
    void prove();

    Strand& strand_;
    motion::MotionControl& motion_;
    RobotBuffers& buffers_;
    Log& log_;
    LimitedLog requests_log_;  ///< who requests full stops
    motion::StopLatch latch_;
    AnswerBook book_;
    StrandInbox<StopItem> stop_cmd_;
    std::unique_ptr<Timer> proof_;
    WeakSelf<StopDesk> self_{*this};
};

/// Returns the answer to a full stop. `report` is the present state of motion: while propulsion hangs, a stop
/// is in effect if the motors are cut or off.
link::Answer answer_to_stop(link::CommandId id, const motion::StopLatch::Outcome& outcome,
                            const motion::MotionReport& report);

/// Returns the sender of a request for the log: name, role and address.
std::string describe(const Peer& peer);

}  // namespace caribou::robot
