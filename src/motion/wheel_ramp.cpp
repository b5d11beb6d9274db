#include "motion/wheel_ramp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace caribou::motion {
namespace {

double larger(const WheelSpeeds& change) { return std::max(std::abs(change.right), std::abs(change.left)); }

}  // namespace

void WheelRamp::step(const Target& target, Instant now) {
    const Duration elapsed = now - last_step_;
    last_step_ = now;
    if (target.is_velocity) return step_to_velocity(target, elapsed, now);
    check(classify(target.speeds.right, target.speeds.left).has_value(), "a target is of one of the classes");
    acceleration_ = {};
    goes_through_halt_ = must_halt_before(target.speeds, now);
    const WheelSpeeds goal = goes_through_halt_ ? WheelSpeeds{} : target.speeds;
    approach(goal, allowed_change(goal, target.braking, elapsed), now);
}

void WheelRamp::approach(const WheelSpeeds& goal, double allowed, Instant now) {
    const WheelSpeeds change{goal.right - speeds_.right, goal.left - speeds_.left};
    const double distance = larger(change);
    if (distance <= allowed) return set(goal, now);
    const double share = allowed / distance;
    set({speeds_.right + change.right * share, speeds_.left + change.left * share}, now);
}

void WheelRamp::step_to_velocity(const Target& target, Duration elapsed, Instant now) {
    goes_through_halt_ = false;
    WheelSpeeds goal = target.speeds;
    if (target.braking != Braking::ordered) {
        // A wheel that has to stop does not turn in reverse before it has.
        if (goal.right * speeds_.right < 0.0) goal.right = 0.0;
        if (goal.left * speeds_.left < 0.0) goal.left = 0.0;
    }
    const double time = to_seconds(std::min(elapsed, 2 * settings_.period));
    if (time <= 0.0) return;
    double allowed = allowed_change(goal, target.braking, elapsed);
    if (target.braking == Braking::ordered || !is_slower(goal))
        allowed = smooth_change({goal.right - speeds_.right, goal.left - speeds_.left}, allowed, time);
    const WheelSpeeds before = speeds_;
    approach(goal, allowed, now);
    acceleration_ = {(speeds_.right - before.right) / time, (speeds_.left - before.left) / time};
}

/// Returns the change of this step, so that the acceleration grows by at most `jerk` and, in steps of `jerk`,
/// is back at zero when the goal is reached.
double WheelRamp::smooth_change(const WheelSpeeds& change, double allowed, double time) const {
    const double distance = larger(change);
    if (distance == 0.0) return allowed;
    const WheelSpeeds way{change.right / distance, change.left / distance};
    const double present = (acceleration_.right * way.right + acceleration_.left * way.left) /
                           (way.right * way.right + way.left * way.left);
    const double step = settings_.jerk * time;
    const double steps_left = std::sqrt(0.25 + 2.0 * distance / (step * time)) - 0.5;
    const double wanted = std::min(std::max(0.0, present) + step, step * std::max(1.0, steps_left));
    return std::min(allowed, wanted * time);
}

void WheelRamp::cut(Instant now) {
    last_step_ = now;
    goes_through_halt_ = false;
    acceleration_ = {};
    set({}, now);
}

bool WheelRamp::must_halt_before(const WheelSpeeds& wanted, Instant now) const {
    const MovementClass next = class_of(wanted.right, wanted.left);
    if (next == MovementClass::halt) return false;
    if (!at_rest()) return !may_follow(movement(), next);
    return !may_follow(last_class_, next) && now < rested_at_ + settings_.halt_dwell;
}

bool WheelRamp::is_slower(const WheelSpeeds& goal) const {
    const auto brakes = [](double from, double to) {
        return std::abs(to) <= std::abs(from) && from * to >= 0.0;
    };
    return brakes(speeds_.right, goal.right) && brakes(speeds_.left, goal.left);
}

double WheelRamp::allowed_change(const WheelSpeeds& goal, Braking braking, Duration elapsed) const {
    // After a gap, accelerates at most as after two periods; braking uses the whole time.
    if (!is_slower(goal)) return settings_.acceleration * to_seconds(std::min(elapsed, 2 * settings_.period));
    if (braking == Braking::full_stop && settings_.full_stop_deceleration == 0.0)
        return std::numeric_limits<double>::infinity();
    const double deceleration = braking == Braking::full_stop ? settings_.full_stop_deceleration
                                : braking == Braking::stop    ? settings_.stop_deceleration
                                                              : settings_.deceleration;
    return deceleration * to_seconds(elapsed);
}

void WheelRamp::set(WheelSpeeds speeds, Instant now) {
    const bool was_moving = !at_rest();
    if (was_moving) last_class_ = movement();
    speeds_ = speeds;
    if (was_moving && at_rest()) rested_at_ = now;
}

}  // namespace caribou::motion
