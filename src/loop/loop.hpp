#pragma once

#include <functional>
#include <memory>

#include "loop/clock.hpp"

namespace caribou {

using Task = std::move_only_function<void()>;

/// Calls its task once at a given instant. Made by Loop::make_timer. Destroying it cancels it,
/// also from inside its own task.
class Timer {
public:
    virtual ~Timer() = default;
    /// Arms the timer, in place of what it was armed for. An instant that has passed is due at
    /// once, but never inside this call.
    virtual void arm(Instant due) = 0;
    virtual void cancel() = 0;
};

/// Runs tasks one after another on one thread: posted ones, timers', and the events of the
/// streams and datagrams that live on it. Every call on a Loop and on what lives on it comes from
/// inside one of these tasks, or before the loop runs.
class Loop {
public:
    virtual ~Loop() = default;
    virtual const Clock& clock() const = 0;
    /// Runs the task after everything that is ready now, in order of posting: the end of this turn.
    virtual void post(Task task) = 0;
    virtual std::unique_ptr<Timer> make_timer(Task on_due) = 0;
};

}  // namespace caribou
