#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// A loop whose clock stands still until it is told to move: tests and simulations run whole
/// systems on it without waiting. Timers fire in order of their instants, equal ones in the order
/// in which they were armed.
class VirtualLoop final : public Loop {
public:
    /// The wall clock starts at 2026-01-01 00:00:00 UTC.
    VirtualLoop();
    ~VirtualLoop() override;

    const Clock& clock() const override;
    void post(Task task) override;
    std::unique_ptr<Timer> make_timer(Task on_due) override;

    /// Runs everything that is ready at this instant, without moving the clock.
    void run_ready();
    /// Moves the clock by `step`, stopping at every timer on the way.
    void advance(Duration step);
    /// Moves on until the condition holds, at most for `limit`. Returns whether it holds.
    bool run_until(const std::move_only_function<bool() const>& condition, Duration limit);
    /// Called by a task: it takes this long. What comes due meanwhile runs when it has returned.
    void take_time(Duration time);
    /// Sets the time of day without touching the monotonic clock, as an operator would.
    void step_wall(Duration step);
    /// Whether no task is waiting and no timer is armed: time alone changes nothing any more.
    bool idle() const;

private:
    struct State;
    class VirtualTimer;
    std::shared_ptr<State> state_;
};

}  // namespace caribou
