#include "motion/thread_propulsion.hpp"

#include <tuple>
#include <utility>

namespace caribou::motion {

ThreadPropulsion::ThreadPropulsion(Loop& loop, Body& body, const MotionSettings& settings,
                                   MotionEvents& events)
    : loop_(loop),
      body_(body),
      events_(events),
      period_(settings.period),
      propulsion_(body, settings),
      timer_(loop.make_timer([this] { on_due(); })) {}

void ThreadPropulsion::start() {
    running_ = true;
    next_ = loop_.clock().now();
    timer_->arm(next_);
}

void ThreadPropulsion::stop() {
    if (!running_) return;
    running_ = false;
    propulsion_.permit({});
    body_.drive({});
    // An error of the second attempt is not handled: only the motors' supply could still be cut.
    if (!body_.enable_motors(false)) std::ignore = body_.cut_motors();
}

void ThreadPropulsion::order(const MotionOrder& order) {
    const auto taken = propulsion_.set_target(order, loop_.clock().now());
    answers_.push_back({order.id, taken ? std::nullopt : std::optional(taken.error())});
    step_within_limit();
}

void ThreadPropulsion::full_stop(StopCause cause) {
    // A stop for shutdown is replaced by any other one.
    const auto before = propulsion_.report().stop;
    const bool is_new = !before || *before == StopCause::shutdown;
    propulsion_.full_stop(cause);
    if (!is_new) return step_within_limit();
    if (running_) propulsion_.step(loop_.clock().now());
    step_soon();
}

void ThreadPropulsion::release_stop() {
    propulsion_.release_stop();
    step_soon();
}

void ThreadPropulsion::permit(const MotionPermit& permit) {
    propulsion_.permit(permit);
    step_soon();
}

/// Without a step: the next one is soon enough, and the pose is corrected often.
void ThreadPropulsion::set_zones(const PlacedZones& zones) { propulsion_.set_zones(zones); }

void ThreadPropulsion::link_lost() {
    propulsion_.link_lost();
    step_soon();
}

void ThreadPropulsion::raise(MotionFault fault) {
    propulsion_.raise(fault);
    step_soon();
}

void ThreadPropulsion::set_guard_cut(bool is_cut) {
    propulsion_.set_guard_cut(is_cut);
    step_soon();
}

/// A single timer, so that any number of events in one turn cause one step.
void ThreadPropulsion::step_soon() { timer_->arm(loop_.clock().now()); }

/// The timer is armed for the grid already, or for less.
void ThreadPropulsion::step_within_limit() {
    if (!running_ || may_step()) step_soon();
}

void ThreadPropulsion::on_due() {
    if (running_) step_and_go_on();
    for (const MotionAnswer& answer : std::exchange(answers_, {})) events_.on_answer(answer);
    if (running_) events_.on_report(propulsion_.report());
}

void ThreadPropulsion::step_and_go_on() {
    const Instant now = loop_.clock().now();
    propulsion_.step(now);
    extra_steps_ = next_ <= now ? 0 : extra_steps_ + 1;
    // A missed grid point is not made up for.
    if (next_ <= now) next_ += ((now - next_) / period_ + 1) * period_;
    timer_->arm(next_);
}

}  // namespace caribou::motion
