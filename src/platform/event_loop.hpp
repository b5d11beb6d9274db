#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "loop/loop.hpp"

namespace caribou {

class EventLoopCore;

/// The loop on a real machine: one thread, the real clock. Everything created on it (timers, streams,
/// listeners, datagrams) must be destroyed before it. Tasks that have not run are destroyed with it. The
/// constructor throws std::system_error if there is no free descriptor.
class EventLoop final : public Loop {
public:
    EventLoop();
    ~EventLoop() override;

    const Clock& clock() const override;
    void post(Task task) override;
    std::unique_ptr<Timer> make_timer(Task on_due) override;

    /// Thread-safe. Tasks run in the order of posting.
    void post_from_any_thread(Task task);

    /// Runs until stop().
    void run();
    /// Ends run() after the current task; if it is not running, the next run() returns at once. Remaining
    /// tasks are kept for the next run(). Thread-safe.
    void stop();
    /// Runs until the condition is true or stop() is called, but at most for `limit`. Returns whether the
    /// condition is true. For tests; same as in VirtualLoop.
    bool run_until(const std::move_only_function<bool() const>& condition, Duration limit);

    /// Stops the loop on the first of these signals. Further ones within a second are ignored, because a
    /// terminal, a shell and `timeout` may each send one. After that they have their default effect again, so
    /// that a second Ctrl-C ends a program that hangs during shutdown.
    void stop_on_signals(std::initializer_list<int> signals);
    /// Calls `on_signal` in the loop for each of these signals. Other loops of the process that wait for the
    /// same signals receive them, too. Not together with stop_on_signals().
    void watch_signals(std::initializer_list<int> signals, std::function<void(int signal)> on_signal);
    /// Returns the signal that has stopped the loop; 0 if none has.
    int stopped_by() const;

    /// Used by the rest of platform (platform/event_loop_core.hpp).
    EventLoopCore& core() { return *core_; }

private:
    std::unique_ptr<EventLoopCore> core_;
};

}  // namespace caribou
