#include "motion/wheel_control.hpp"

#include <algorithm>
#include <cmath>

#include "motion/wheel_feedback.hpp"

namespace caribou::motion {
namespace {

constexpr double most_share = 0.5;   // of the wanted speed
constexpr double most_fixed = 0.03;  // m/s

}  // namespace

WheelControl::WheelControl(const MotionSettings& settings, double max_speed)
    : settings_(settings),
      max_speed_(max_speed),
      span_(std::clamp<std::size_t>(static_cast<std::size_t>(WheelFeedback::window / settings.period), 1,
                                    Wheel{}.wanted.size())),
      right_{.gain = settings.wheel_gain_right, .start = settings.wheel_start_right},
      left_{.gain = settings.wheel_gain_left, .start = settings.wheel_start_left} {}

WheelSpeeds WheelControl::step(const WheelSpeeds& wanted, const std::optional<WheelSpeeds>& measured,
                               Instant now) {
    if (!settings_.closed_loop) return wanted;
    // An order causes a step between two periods: it counts for the one before.
    const bool is_between = last_ && now - *last_ < settings_.period / 2;
    // A step that is late does not make up for the time without one.
    const double elapsed =
        !last_ || is_between ? 0.0 : to_seconds(std::min<Duration>(now - *last_, 2 * settings_.period));
    if (!is_between) last_ = now;
    const auto of = [&](double WheelSpeeds::* wheel) {
        return measured ? std::optional((*measured).*wheel) : std::nullopt;
    };
    return {.right = ordered(right_, wanted.right, of(&WheelSpeeds::right), elapsed),
            .left = ordered(left_, wanted.left, of(&WheelSpeeds::left), elapsed)};
}

double WheelControl::ordered(Wheel& wheel, double wanted, std::optional<double> measured,
                             double elapsed) const {
    const double last = wheel.steps > 0 ? wheel.wanted[(wheel.steps - 1) % wheel.wanted.size()] : 0.0;
    if (wanted == 0.0 || wanted * last < 0.0) {
        wheel.steps = 0;
        wheel.integral = wheel.error = 0.0;
    }
    if (wanted == 0.0) return 0.0;
    if (wheel.steps == 0 || elapsed > 0.0) ++wheel.steps;
    wheel.wanted[(wheel.steps - 1) % wheel.wanted.size()] = wanted;
    const double forward = wheel.gain * wanted + std::copysign(wheel.start, wanted);
    const double order = forward + (measured ? correction(wheel, wanted, *measured, elapsed) : 0.0);
    if (order * wanted <= 0.0) return 0.0;
    return std::clamp(order, -max_speed_, max_speed_);
}

double WheelControl::correction(Wheel& wheel, double wanted, double measured, double elapsed) const {
    // What was wanted while the encoders were measured, or the delay would look like an error.
    const std::size_t count = std::min(wheel.steps, span_);
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += wheel.wanted[(wheel.steps - 1 - i) % wheel.wanted.size()];
    // Before the window is full, the wheel was at rest.
    const double error = sum / static_cast<double>(span_) - measured;
    const double change = elapsed > 0.0 && wheel.steps > 1 ? (error - wheel.error) / elapsed : 0.0;
    if (elapsed > 0.0) wheel.error = error;
    const double most = most_share * std::abs(wanted) + most_fixed;
    const double now = settings_.wheel_p * error + settings_.wheel_d * change;
    const double integral = wheel.integral + settings_.wheel_i * error * elapsed;
    // Beyond the limit the integral only falls.
    if (std::abs(now + integral) <= most || std::abs(integral) < std::abs(wheel.integral))
        wheel.integral = std::clamp(integral, -most, most);
    return std::clamp(now + wheel.integral, -most, most);
}

}  // namespace caribou::motion
