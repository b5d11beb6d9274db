#pragma once

#include <functional>
#include <memory>

#include "loop/clock.hpp"

namespace caribou {

using Task = std::move_only_function<void()>;

/// Calls its task once at a given instant. Created by Loop::make_timer. Destroying the timer cancels it; this
/// is allowed inside its own task.
class Timer {
public:
    virtual ~Timer() = default;
    /// Arms the timer, replacing an earlier deadline. If the instant has passed, the task runs as soon as
    /// possible, but never inside this call.
    virtual void arm(Instant due) = 0;
    virtual void cancel() = 0;
};

/// Runs tasks one after another on one thread: posted tasks, expired timers, and the events of the streams
/// and datagram sockets that belong to it. Not thread-safe: a Loop and all objects that belong to it may only
/// be used from inside these tasks, or before the loop runs.
class Loop {
public:
    virtual ~Loop() = default;
    virtual const Clock& clock() const = 0;
    /// Runs the task after everything that is ready now, at the end of this turn, in order of posting.
    virtual void post(Task task) = 0;
    /// Returns a timer, not armed yet, that calls `on_due`. It must not outlive the loop.
    virtual std::unique_ptr<Timer> make_timer(Task on_due) = 0;
};

}  // namespace caribou
