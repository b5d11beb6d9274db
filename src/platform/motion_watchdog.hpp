#pragma once

#include <atomic>
#include <memory>

#include "base/log.hpp"
#include "platform/named_thread.hpp"
#include "robot/body.hpp"

namespace caribou {

/// Cuts the motors when propulsion has not shown itself for too long. Stands on a thread of its own,
/// so that whatever hangs there does not hang here.
class MotionWatchdog {
public:
    /// `log` is written from the watchdog's thread.
    MotionWatchdog(robot::Body& body, Duration stall_after, Log& log);

    /// Counts from now on, as though propulsion had just shown itself.
    Result<void> start();
    void stop();

    /// Propulsion is alive. Any thread.
    void beat();
    /// How often it has cut the motors. Any thread.
    int cuts() const { return cuts_; }

private:
    void look();

    robot::Body& body_;
    Duration stall_after_;
    Log& log_;
    NamedThread thread_;
    std::atomic<Duration::rep> last_beat_ = 0;
    std::atomic<int> cuts_ = 0;
    bool stalled_ = false;  ///< on the watchdog's thread alone
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
