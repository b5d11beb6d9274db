#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/log.hpp"
#include "motion/body.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Cuts the motors when propulsion has not called beat() for too long, on its own thread. Repeats the cut
/// until the body confirms it or propulsion resumes.
class MotionWatchdog {
public:
    /// Result of the cut in the latest stall; `none` while it is unknown. `unconfirmed` includes a call of
    /// cut_motors that does not return.
    enum class Cut { none, confirmed, unconfirmed };

    /// `log` is used from the watchdog's thread.
    MotionWatchdog(motion::Body& body, Duration stall_after, Log& log);

    /// Starts the watchdog, as if beat() had just been called.
    Result<void> start();
    /// Stops the watchdog without cutting the motors.
    void stop();

    /// Called by propulsion while it is alive. Thread-safe.
    void beat();
    /// Returns the number of stalls in which it has cut the motors. Thread-safe.
    int cuts() const { return cuts_; }
    /// Returns whether propulsion is stalled at present. Thread-safe.
    bool is_stalled() const { return stalled_; }
    /// Thread-safe.
    Cut latest_cut() const;
    /// Returns when it last checked propulsion; the epoch before start(). Thread-safe.
    Instant last_look() const { return Instant(Duration(last_look_)); }
    /// Returns the number of its checks. Thread-safe.
    std::uint64_t looks() const { return looks_; }

private:
    void look();
    void cut(Duration silence);

    motion::Body& body_;
    Duration stall_after_;
    Log& log_;
    NamedThread thread_;
    std::atomic<Duration::rep> last_beat_ = 0;
    std::atomic<Duration::rep> last_look_ = 0;
    std::atomic<std::uint64_t> looks_ = 0;
    std::atomic<int> cuts_ = 0;
    std::atomic<Cut> latest_ = Cut::none;
    std::atomic<Duration::rep> cutting_since_ = 0;  ///< 0 unless a call of cut_motors is in progress
    std::atomic<bool> stalled_ = false;
    bool reported_ = false;  ///< the missing confirmation has been logged; used on the watchdog's thread
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
