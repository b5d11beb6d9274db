#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "adapters/body/motion_watchdog.hpp"
#include "base/log.hpp"
#include "motion/motion_guard.hpp"
#include "motion/thread_propulsion.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Propulsion on its own thread, with its watchdog. All calls of MotionControl are thread-safe and do not
/// block. A full stop overtakes all pending requests and discards them.
class PropulsionThread final : public motion::MotionControl, private motion::MotionEvents {
public:
    /// Limit of pending orders; a further one is answered with `busy` at once, on the caller's thread.
    static constexpr std::size_t max_orders = 64;
    /// Limit of all pending requests; if it is exceeded, propulsion does not respond, and a full stop is
    /// raised as the safe reaction.
    static constexpr std::size_t max_requests = 256;

    /// `body` may be used from any thread. `events` is called on propulsion's thread. `guard` may be null;
    /// otherwise it is fed after each step, and its silence is a fault.
    PropulsionThread(motion::Body& body, const motion::MotionSettings& settings, motion::MotionEvents& events,
                     Log& log, motion::MotionGuard* guard = nullptr);
    ~PropulsionThread() override { stop(); }
    PropulsionThread(const PropulsionThread&) = delete;
    PropulsionThread& operator=(const PropulsionThread&) = delete;

    Result<void> start();
    /// Limit from rest being ordered to its confirmation by the body, when propulsion ends.
    static constexpr Duration confirm_limit = std::chrono::milliseconds(100);

    /// Brakes to rest, within the time that the deceleration of a stop needs, and returns when the motors are
    /// off. A body that does not confirm rest is reported to the guard, which stops it. Does not return while
    /// a call of the body hangs; the watchdog then cuts the motors.
    void stop();

    void order(const motion::MotionOrder& order) override;
    void full_stop(motion::StopCause cause) override;
    void release_stop() override { say(Release{}); }
    void permit(const motion::MotionPermit& permit) override { say(permit); }
    /// Only the latest zones are pending, so that they do not count as requests.
    void set_zones(const motion::PlacedZones& zones) override;
    void link_lost() override { say(LinkLost{}); }
    void supervisor_alive() override { supervisor_alive_ = true; }
    /// While propulsion hangs, returns the last report, plus a requested stop and the faults caused by the
    /// watchdog's cut.
    motion::MotionReport report() const override;
    const MotionWatchdog& watchdog() const { return watchdog_; }

private:
    struct Release {};
    struct LinkLost {};
    using Request = std::variant<motion::MotionOrder, motion::MotionPermit, Release, LinkLost>;
    struct Pending {
        std::optional<motion::StopCause> stop{};
        std::size_t before_stop = 0;  ///< number of requests queued before it
        std::vector<Request> requests{};
        std::optional<motion::PlacedZones> zones{};
        std::size_t orders = 0;
        bool wake_is_due = false;
    };

    void say(const Request& request);
    void raise_stop(motion::StopCause cause);
    void wake();
    /// Returns whether the body confirms rest.
    bool brake();
    void carry_out();
    void carry_out(const Request& request, bool before_stop);
    void on_answer(const motion::MotionAnswer& answer) override { events_.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override;
    void feed(const motion::GuardFeed& feed);
    void take_signs_of_life();

    motion::MotionEvents& events_;
    mutable std::mutex mutex_;
    Pending pending_;              // guarded by mutex_
    motion::MotionReport report_;  // guarded by mutex_
    bool confirms_rest_ = true;    // guarded by mutex_; the body, in the last step
    std::condition_variable reported_;
    motion::Body& body_;
    Duration braking_limit_;
    NamedThread thread_;
    MotionWatchdog watchdog_;
    motion::ThreadPropulsion propulsion_;
    std::atomic<bool> supervisor_alive_ = false;  ///< not passed on to propulsion yet
    motion::MotionGuard* guard_;
    motion::GuardState guard_state_ = motion::GuardState::watches;  ///< on propulsion's thread
};

}  // namespace caribou
