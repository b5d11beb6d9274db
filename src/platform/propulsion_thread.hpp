#pragma once

#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "base/log.hpp"
#include "motion/thread_propulsion.hpp"
#include "platform/motion_watchdog.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Propulsion on a thread of its own, with its watchdog. Every call of MotionControl may come from any
/// thread, and none waits. A full stop has its own lane: it is carried out before whatever was said
/// earlier and has not been looked at yet, and voids it.
class PropulsionThread final : public motion::MotionControl, private motion::MotionEvents {
public:
    /// Orders that wait at most; one more is answered `busy`, at once and on the caller's thread.
    static constexpr std::size_t max_orders = 64;
    /// Requests of every kind; if there are more, nobody listens, and the safe answer is a full stop.
    static constexpr std::size_t max_requests = 256;

    /// `body` may be used from any thread. `events` is called on propulsion's thread.
    PropulsionThread(motion::Body& body, const motion::MotionSettings& settings, motion::MotionEvents& events,
                     Log& log);
    ~PropulsionThread() override { stop(); }
    PropulsionThread(const PropulsionThread&) = delete;
    PropulsionThread& operator=(const PropulsionThread&) = delete;

    Result<void> start();
    /// The motors are off when it returns. Does not return while a call of the body hangs; the watchdog
    /// cuts the motors then.
    void stop();

    void order(const motion::MotionOrder& order) override;
    void full_stop(motion::StopCause cause) override;
    void release_stop() override { say(Release{}); }
    void permit(const motion::MotionPermit& permit) override { say(permit); }
    void link_lost() override { say(LinkLost{}); }
    /// While propulsion hangs: the last report, with a requested stop and with the faults that follow from
    /// the watchdog's cut.
    motion::MotionReport report() const override;
    const MotionWatchdog& watchdog() const { return watchdog_; }

private:
    struct Release {};
    struct LinkLost {};
    using Request = std::variant<motion::MotionOrder, motion::MotionPermit, Release, LinkLost>;
    struct Pending {
        std::optional<motion::StopCause> stop{};
        std::size_t before_stop = 0;  ///< as many requests were said before it
        std::vector<Request> requests{};
        std::size_t orders = 0;
        bool wake_is_due = false;
    };

    void say(const Request& request);
    void raise_stop(motion::StopCause cause);
    void wake();
    void carry_out();
    void carry_out(const Request& request, bool before_stop);
    void on_answer(const motion::MotionAnswer& answer) override { events_.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override;

    motion::MotionEvents& events_;
    mutable std::mutex mutex_;
    Pending pending_;              // guarded by mutex_
    motion::MotionReport report_;  // guarded by mutex_
    NamedThread thread_;
    MotionWatchdog watchdog_;
    motion::ThreadPropulsion propulsion_;
};

}  // namespace caribou
