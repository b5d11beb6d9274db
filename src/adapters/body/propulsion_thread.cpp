#include "adapters/body/propulsion_thread.hpp"

#include <utility>

#include "platform/real_time_priority.hpp"

namespace caribou {

PropulsionThread::PropulsionThread(motion::Body& body, const motion::MotionSettings& settings,
                                   motion::MotionEvents& events, Log& log, motion::MotionGuard* guard)
    : events_(events),
      body_(body),
      braking_limit_(settings.braking_time() + 5 * settings.period),
      thread_({"propulsion", propulsion_priority}, log),
      watchdog_(body, settings.stall_after, log),
      propulsion_(thread_.loop(), body, settings, *this),
      guard_(guard) {}

Result<void> PropulsionThread::start() {
    propulsion_.start();
    if (auto started = thread_.start(); !started) return started;
    return watchdog_.start();
}

void PropulsionThread::stop() {
    const bool was_running = thread_.running();
    const bool at_rest = !was_running || brake();
    thread_.stop();
    watchdog_.beat();
    propulsion_.stop();
    if (guard_) guard_->bye(at_rest);
    watchdog_.stop();
}

bool PropulsionThread::brake() {
    full_stop(motion::StopCause::shutdown);
    std::unique_lock lock(mutex_);
    return reported_.wait_for(lock, braking_limit_ + confirm_limit, [this] {
        return report_.stop && report_.driven == motion::WheelSpeeds{} && confirms_rest_;
    });
}

void PropulsionThread::order(const motion::MotionOrder& order) {
    {
        const std::lock_guard lock(mutex_);
        if (pending_.orders < max_orders) {
            ++pending_.orders;
            pending_.requests.emplace_back(order);
            return wake();
        }
    }
    events_.on_answer({order.id, motion::MotionRefusal::busy});
}

void PropulsionThread::full_stop(motion::StopCause cause) {
    const std::lock_guard lock(mutex_);
    raise_stop(cause);
    wake();
}

/// Must be called with the lock held, like wake().
void PropulsionThread::raise_stop(motion::StopCause cause) {
    // A stop for shutdown does not replace one that is stored.
    if (!pending_.stop || cause != motion::StopCause::shutdown) pending_.stop = cause;
    pending_.before_stop = pending_.requests.size();
}

motion::MotionReport PropulsionThread::report() const {
    motion::MotionReport report;
    {
        const std::lock_guard lock(mutex_);
        report = report_;
        if (pending_.stop && (!report.stop || report.stop == motion::StopCause::shutdown))
            report.stop = pending_.stop;
    }
    report.watchdog_at = watchdog_.last_look();
    report.watchdog_looks = watchdog_.looks();
    const MotionWatchdog::Cut cut = watchdog_.latest_cut();
    if (watchdog_.is_stalled() && report.permit.motors && cut != MotionWatchdog::Cut::none)
        report.faults.insert(motion::MotionFault::missed_deadlines);
    if (cut == MotionWatchdog::Cut::unconfirmed) report.faults.insert(motion::MotionFault::motors_not_cut);
    return report;
}

void PropulsionThread::say(const Request& request) {
    const std::lock_guard lock(mutex_);
    if (pending_.requests.size() < max_requests)
        pending_.requests.push_back(request);
    else
        raise_stop(motion::StopCause::overload);
    wake();
}

void PropulsionThread::set_zones(const motion::PlacedZones& zones) {
    const std::lock_guard lock(mutex_);
    pending_.zones = zones;
    wake();
}

void PropulsionThread::wake() {
    if (std::exchange(pending_.wake_is_due, true)) return;
    thread_.loop().post_from_any_thread([this] { carry_out(); });
}

void PropulsionThread::carry_out() {
    Pending pending;
    {
        const std::lock_guard lock(mutex_);
        std::swap(pending, pending_);
    }
    take_signs_of_life();
    if (pending.stop) propulsion_.full_stop(*pending.stop);
    if (pending.zones) propulsion_.set_zones(*pending.zones);
    for (std::size_t i = 0; i < pending.requests.size(); ++i)
        carry_out(pending.requests[i], pending.stop && i < pending.before_stop);
}

void PropulsionThread::carry_out(const Request& request, bool before_stop) {
    struct Carry {
        PropulsionThread& thread;
        motion::ThreadPropulsion& propulsion;
        bool before_stop;
        void operator()(const motion::MotionOrder& order) const { propulsion.order(order); }
        void operator()(const motion::MotionPermit& permit) const {
            // The guard watches before the motors can be switched on.
            if (permit.motors) thread.feed({.motors_on = true});
            propulsion.permit(permit);
        }
        void operator()(Release) const {
            if (!before_stop) propulsion.release_stop();
        }
        void operator()(LinkLost) const { propulsion.link_lost(); }
    };
    std::visit(Carry{*this, propulsion_, before_stop}, request);
}

void PropulsionThread::on_report(const motion::MotionReport& report) {
    watchdog_.beat();
    take_signs_of_life();
    const bool moving = report.driven != motion::WheelSpeeds{};
    feed({.motors_on = report.permit.motors || moving,
          .moving = moving,
          .driver_lost = report.reasons.contains(motion::MotionReason::body_absent)});
    const bool confirms_rest = body_.confirms_rest();
    {
        const std::lock_guard lock(mutex_);
        report_ = report;
        confirms_rest_ = confirms_rest;
    }
    reported_.notify_all();
    events_.on_report(report);
}

void PropulsionThread::take_signs_of_life() {
    if (supervisor_alive_.exchange(false)) propulsion_.supervisor_alive();
}

void PropulsionThread::feed(const motion::GuardFeed& feed) {
    if (!guard_) return;
    motion::GuardFeed stamped = feed;
    stamped.at = thread_.loop().clock().now();
    const motion::GuardState state = guard_->exchange(stamped);
    if (state == guard_state_) return;
    guard_state_ = state;
    if (state == motion::GuardState::silent) return propulsion_.raise(motion::MotionFault::guard_silent);
    propulsion_.set_guard_cut(state == motion::GuardState::cut);
}

}  // namespace caribou
