#include "motion/wheel_feedback.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::motion {

void WheelFeedback::update(std::optional<std::int64_t> right, std::optional<std::int64_t> left, Instant now) {
    if (!right || !left) {
        last_.reset();
        measured_.reset();
        count_ = 0;
        odometry_.speed = odometry_.yaw_rate = 0.0;
        return;
    }
    const Sample sample{now, *right, *left};
    if (last_) integrate(*last_, sample);
    last_ = sample;
    measure(sample);
}

void WheelFeedback::integrate(const Sample& from, const Sample& to) {
    const double right = static_cast<double>(to.right - from.right) * plan_.metres_per_tick;
    const double left = static_cast<double>(to.left - from.left) * plan_.metres_per_tick;
    const double ahead = (right + left) / 2.0;
    const double turn = (right - left) / plan_.wheel_base;
    const double middle = odometry_.pose.heading + turn / 2.0;
    spread(right, left, middle);
    odometry_.pose.x += ahead * std::cos(middle);
    odometry_.pose.y += ahead * std::sin(middle);
    odometry_.pose.heading = wrapped_angle(odometry_.pose.heading + turn);
    odometry_.distance += std::abs(ahead);
    odometry_.rolled.right += right;
    odometry_.rolled.left += left;
}

/// The uncertainty of the heading adds to that of the position; each wheel adds its drift.
void WheelFeedback::spread(double right, double left, double middle) {
    PoseSpread& s = odometry_.spread;
    const double ahead = (right + left) / 2.0;
    const double c = std::cos(middle);
    const double n = std::sin(middle);
    const double dx = -ahead * n;  // by an error of the heading
    const double dy = ahead * c;
    const double along = stray * stray * (std::abs(right) + std::abs(left)) / 4.0;
    const double skew = stray * stray * (std::abs(right) - std::abs(left)) / (2.0 * plan_.wheel_base);
    s = {.xx = s.xx + 2.0 * dx * s.xh + dx * dx * s.hh + along * c * c,
         .xy = s.xy + dx * s.yh + dy * s.xh + dx * dy * s.hh + along * c * n,
         .xh = s.xh + dx * s.hh + skew * c,
         .yy = s.yy + 2.0 * dy * s.yh + dy * dy * s.hh + along * n * n,
         .yh = s.yh + dy * s.hh + skew * n,
         .hh = s.hh + 4.0 * along / (plan_.wheel_base * plan_.wheel_base)};
}

void WheelFeedback::measure(const Sample& latest) {
    constexpr Duration spacing = window / 5;
    if (count_ == 0) {
        samples_[count_++] = latest;
        return;
    }
    if (const Duration age = latest.at - samples_.front().at; age > Duration::zero()) {
        const double scale = plan_.metres_per_tick / to_seconds(age);
        measured_ = WheelSpeeds{static_cast<double>(latest.right - samples_.front().right) * scale,
                                static_cast<double>(latest.left - samples_.front().left) * scale};
        odometry_.speed = (measured_->right + measured_->left) / 2.0;
        odometry_.yaw_rate = (measured_->right - measured_->left) / plan_.wheel_base;
    }
    if (latest.at - samples_.at(count_ - 1).at < spacing) return;
    if (count_ == samples_.size()) {
        std::ranges::rotate(samples_, samples_.begin() + 1);
        --count_;
    }
    samples_.at(count_++) = latest;
}

MovementState WheelFeedback::state() const {
    if (!measured_) return MovementState::unknown;
    const auto wheel = [](double speed) {
        if (std::abs(speed) < still_speed) return WheelState::still;
        return speed > 0.0 ? WheelState::forward : WheelState::backward;
    };
    return movement_state(wheel(measured_->right), wheel(measured_->left));
}

}  // namespace caribou::motion
