#include "motion/wheel_ramp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace caribou::motion {

void WheelRamp::step(const Target& target, Instant now) {
    const auto wanted = classify(target.speeds.right, target.speeds.left);
    check(wanted.has_value(), "a target is of one of the classes");
    goes_through_halt_ = must_halt_before(*wanted, now);
    const WheelSpeeds goal = goes_through_halt_ ? WheelSpeeds{} : target.speeds;

    const double right = goal.right - speeds_.right;
    const double left = goal.left - speeds_.left;
    const double distance = std::max(std::abs(right), std::abs(left));
    const double allowed = allowed_change(goal, target.braking, now - last_step_);
    last_step_ = now;
    if (distance <= allowed) return set(goal, now);
    const double share = allowed / distance;
    set({speeds_.right + right * share, speeds_.left + left * share}, now);
}

void WheelRamp::cut(Instant now) {
    last_step_ = now;
    goes_through_halt_ = false;
    set({}, now);
}

MovementClass WheelRamp::movement() const {
    const auto movement = classify(speeds_.right, speeds_.left);
    check(movement.has_value(), "what is driven is of one of the classes");
    return *movement;
}

bool WheelRamp::must_halt_before(MovementClass wanted, Instant now) const {
    if (wanted == MovementClass::halt) return false;
    if (!at_rest()) return !may_follow(movement(), wanted);
    return way_of(wanted) != last_way_ && last_way_ != Way::rest && now < rested_at_ + settings_.halt_dwell;
}

double WheelRamp::allowed_change(const WheelSpeeds& goal, Braking braking, Duration elapsed) const {
    const bool slower =
        std::abs(goal.right) <= std::abs(speeds_.right) && std::abs(goal.left) <= std::abs(speeds_.left);
    // After a gap, accelerates at most as after two periods; braking uses the whole time.
    if (!slower) return settings_.acceleration * to_seconds(std::min(elapsed, 2 * settings_.period));
    if (braking == Braking::full_stop && settings_.full_stop_deceleration == 0.0)
        return std::numeric_limits<double>::infinity();
    const double deceleration = braking == Braking::full_stop ? settings_.full_stop_deceleration
                                : braking == Braking::stop    ? settings_.stop_deceleration
                                                              : settings_.deceleration;
    return deceleration * to_seconds(elapsed);
}

void WheelRamp::set(WheelSpeeds speeds, Instant now) {
    const bool was_moving = !at_rest();
    if (was_moving) last_way_ = way_of(movement());
    speeds_ = speeds;
    if (was_moving && at_rest()) rested_at_ = now;
}

}  // namespace caribou::motion
