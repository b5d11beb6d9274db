#pragma once

#include <memory>
#include <vector>

#include "loop/loop.hpp"
#include "motion/propulsion.hpp"

namespace caribou::motion {

/// Propulsion on a loop: steps on an absolute grid of periods, and at once after a change. Accepts all calls,
/// but moves nothing before start() and after stop().
class ThreadPropulsion final : public MotionControl {
public:
    /// Limit of the steps between two grid points. Orders beyond it, and full stops while one is in effect,
    /// wait for the grid.
    static constexpr std::size_t max_extra_steps = 8;

    /// `body` and `events` must outlive this object.
    ThreadPropulsion(Loop& loop, Body& body, const MotionSettings& settings, MotionEvents& events);

    /// Starts the steps, with the motors off.
    void start();
    /// Returns when the motors are off.
    void stop();

    void order(const MotionOrder& order) override;
    /// Returns when the motors have been ordered to stop.
    void full_stop(StopCause cause) override;
    void release_stop() override;
    void permit(const MotionPermit& permit) override;
    void set_zones(const PlacedZones& zones) override;
    void link_lost() override;
    void supervisor_alive() override { propulsion_.supervisor_alive(); }
    void raise(MotionFault fault);
    void set_guard_cut(bool is_cut);
    MotionReport report() const override { return propulsion_.report(); }

private:
    void step_soon();
    void step_within_limit();
    bool may_step() const { return extra_steps_ < max_extra_steps; }
    void on_due();
    void step_and_go_on();

    Loop& loop_;
    Body& body_;
    MotionEvents& events_;
    Duration period_;
    Propulsion propulsion_;
    std::vector<MotionAnswer> answers_;  ///< to be sent after the next step
    Instant next_{};                     ///< on the grid
    std::size_t extra_steps_ = 0;        ///< since the last grid point
    bool running_ = false;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::motion
