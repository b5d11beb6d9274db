#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "loop/loop.hpp"

namespace caribou {

class EventLoopCore;

/// The loop on the real machine: one thread, the real clock. Whatever was made on it (timers,
/// streams, listeners, datagrams) has to be destroyed before it. Tasks that never came to run are
/// destroyed with it. The constructor ends with std::system_error if the machine has no descriptor
/// left to give.
class EventLoop final : public Loop {
public:
    EventLoop();
    ~EventLoop() override;

    const Clock& clock() const override;
    void post(Task task) override;
    std::unique_ptr<Timer> make_timer(Task on_due) override;

    /// Any thread may call. The tasks run in order of posting.
    void post_from_any_thread(Task task);

    /// Runs until stop().
    void run();
    /// Ends run() after the task that is running; without one, the next run() returns at once.
    /// What has not run stays for the next run(). Any thread may call.
    void stop();
    /// Runs until the condition holds or stop() is called, at most for `limit`. Returns whether the
    /// condition holds. For tests; the same call as on VirtualLoop.
    bool run_until(const std::move_only_function<bool() const>& condition, Duration limit);

    /// The first of these signals stops the loop. Those that follow within a second belong to it: a terminal,
    /// a shell and `timeout` may each send one. After that they have their usual effect again, so that a
    /// second Ctrl-C ends a program that hangs on its way out.
    void stop_on_signals(std::initializer_list<int> signals);

    /// What the rest of platform builds on (platform/event_loop_core.hpp).
    EventLoopCore& core() { return *core_; }

private:
    std::unique_ptr<EventLoopCore> core_;
};

}  // namespace caribou
