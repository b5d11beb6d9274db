#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// A loop with a simulated clock that advances only on request, so that tests and simulations run whole
/// systems without waiting. Timers fire in order of their instants, those with equal instants in the order in
/// which they were armed.
class VirtualLoop final : public Loop {
public:
    /// The wall clock starts at 2026-01-01 00:00:00 UTC.
    VirtualLoop();
    ~VirtualLoop() override;

    const Clock& clock() const override;
    void post(Task task) override;
    std::unique_ptr<Timer> make_timer(Task on_due) override;

    /// Runs everything that is ready at this instant, without advancing the clock.
    void run_ready();
    /// Advances the clock by `step`, stopping at every timer on the way.
    void advance(Duration step);
    /// Advances the clock until the condition holds, at most by `limit`. Returns whether it holds.
    bool run_until(const std::move_only_function<bool() const>& condition, Duration limit);
    /// Called by a task to simulate that it takes this long. Timers that expire meanwhile run after it
    /// returns.
    void take_time(Duration time);
    /// Changes the time of day but not the monotonic clock, as an operator who sets the clock would.
    void step_wall(Duration step);
    /// Returns true if no task is waiting and no timer is armed, so that advancing the clock has no effect.
    bool idle() const;

private:
    struct State;
    class VirtualTimer;
    std::shared_ptr<State> state_;
};

}  // namespace caribou
