#include "driver/wheel_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "motion/motion_settings.hpp"

namespace caribou::driver {
namespace {

constexpr Duration order_interval = std::chrono::milliseconds(20);
constexpr Duration greeting_limit = std::chrono::seconds(5);
constexpr double turning = 0.01;  // m/s; slower counts as not turning
constexpr std::size_t fewest_samples = 3;

struct Range {
    double low;
    double high;
};

/// The range of a setting of `[motion]`.
Range range_of(std::string_view name) {
    for (const motion::MotionSetting& setting : motion::motion_setting_table())
        if (setting.name == name) return {setting.low, setting.high};
    return {0, 0};
}

}  // namespace

Result<WheelFit> fit_wheel(const std::vector<WheelSample>& samples) {
    double n = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (const auto& [ordered, measured] : samples) {
        if (measured < turning) continue;
        n += 1;
        x += measured;
        y += ordered;
        xx += measured * measured;
        xy += measured * ordered;
    }
    if (n < fewest_samples)
        return fail(Code::invalid_argument,
                    fmt::format("the wheel turned at {:.0f} of {} orders; expected at least {}", n,
                                samples.size(), fewest_samples));
    const double spread = n * xx - x * x;
    if (spread < 1e-6)
        return fail(Code::invalid_argument, "the wheel turns at the same speed whatever is ordered");
    WheelFit fit{.gain = (n * xy - x * y) / spread};
    fit.start = (y - fit.gain * x) / n;
    const Range gains = range_of("wheel_gain_right");
    const Range starts = range_of("wheel_start_right");
    if (fit.gain < gains.low || fit.gain > gains.high)
        return fail(Code::invalid_argument,
                    fmt::format("the wheel turns {:.2f} times as fast as ordered; expected {:.2f} to {:.2f}: "
                                "check the diameter of the wheels, the ticks of the encoders and full_speed",
                                1 / fit.gain, 1 / gains.high, 1 / gains.low));
    // A line that begins below zero is one of noise.
    fit.start = std::clamp(fit.start, starts.low, starts.high);
    for (const auto& [ordered, measured] : samples)
        if (measured >= turning)
            fit.worst = std::max(fit.worst, std::abs(fit.start + fit.gain * measured - ordered));
    return fit;
}

std::optional<double> WheelCalibration::ordered() const {
    if (run_ >= 2 * speeds.size()) return std::nullopt;
    return run_ % 2 == 0 ? speeds[run_ / 2] : -speeds[run_ / 2];
}

bool WheelCalibration::end(std::string fault, Instant now) {
    fault_ = std::move(fault);
    is_over_ = true;
    halt(now);
    return true;
}

void WheelCalibration::halt(Instant now) {
    if (session_.hello() && session_.fault().empty()) session_.order({}, true, now);
}

bool WheelCalibration::step(Instant now) {
    if (is_over_) return true;
    session_.poll(now);
    if (!session_.fault().empty()) return end(session_.fault(), now);
    if (!session_.hello() || !session_.state()) {
        if (now - begun_ > greeting_limit) return end("the driver does not introduce itself", now);
        return false;
    }
    if (!std::exchange(has_begun_, true)) begun_ = now;
    if (!session_.state()->has_encoders)
        return end("the driver has no encoders, or they give no readings: nothing can be measured", now);
    const auto order = ordered();
    if (!order) return end("", now);
    if (now - ordered_at_ >= order_interval) {
        ordered_at_ = now;
        session_.order({.right = *order, .left = *order}, true, now);
    }
    measure(*order, now);
    return false;
}

void WheelCalibration::measure(double order, Instant now) {
    if (now - begun_ < settling) return;
    const State& state = *session_.state();
    if (!from_) {
        from_ = state;
        from_at_ = now;
        return;
    }
    if (now - from_at_ < measuring) return;
    // By the driver's own time, between its two states.
    const double elapsed = static_cast<double>(state.time_us - from_->time_us) / 1e6;
    const double scale = session_.hello()->meters_per_tick / std::max(elapsed, 1e-3);
    const auto speed = [&](std::int64_t from, std::int64_t to) {
        return std::copysign(1.0, order) * static_cast<double>(to - from) * scale;
    };
    right_.push_back({std::abs(order), speed(from_->right_ticks, state.right_ticks)});
    left_.push_back({std::abs(order), speed(from_->left_ticks, state.left_ticks)});
    from_.reset();
    ++run_;
    begun_ = now;
}

std::string calibration_text(const WheelFit& right, const WheelFit& left) {
    return fmt::format(
        "[motion]\n"
        "closed_loop = true\n"
        "wheel_gain_right = {:.3f}\n"
        "wheel_gain_left = {:.3f}\n"
        "wheel_start_right = {:.3f}\n"
        "wheel_start_left = {:.3f}\n",
        right.gain, left.gain, right.start, left.start);
}

}  // namespace caribou::driver
