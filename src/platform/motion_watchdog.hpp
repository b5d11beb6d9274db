#pragma once

#include <atomic>
#include <memory>

#include "base/log.hpp"
#include "motion/body.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Cuts the motors when propulsion has not beaten for too long, on a thread of its own. Repeats the cut
/// until the body confirms it or propulsion beats again.
class MotionWatchdog {
public:
    /// What became of the cut of the latest stall; none while it is not known yet. `unconfirmed` includes a
    /// call of cut_motors that does not return.
    enum class Cut { none, confirmed, unconfirmed };

    /// `log` is written from the watchdog's thread.
    MotionWatchdog(motion::Body& body, Duration stall_after, Log& log);

    /// Starts to count, as though propulsion had just beaten.
    Result<void> start();
    void stop();

    /// Propulsion is alive. Any thread may call.
    void beat();
    /// Number of stalls in which it has cut the motors. Any thread may call.
    int cuts() const { return cuts_; }
    /// Propulsion does not beat at present. Any thread may call.
    bool is_stalled() const { return stalled_; }
    /// Any thread may call.
    Cut latest_cut() const;

private:
    void look();
    void cut(Duration silence);

    motion::Body& body_;
    Duration stall_after_;
    Log& log_;
    NamedThread thread_;
    std::atomic<Duration::rep> last_beat_ = 0;
    std::atomic<int> cuts_ = 0;
    std::atomic<Cut> latest_ = Cut::none;
    std::atomic<Duration::rep> cutting_since_ = 0;  ///< 0: no call of cut_motors is under way
    std::atomic<bool> stalled_ = false;
    bool reported_ = false;  ///< that this stall's cut is not confirmed; on its thread
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
