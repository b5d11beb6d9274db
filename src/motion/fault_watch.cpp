#include "motion/fault_watch.hpp"

#include <cmath>

#include "motion/wheel_feedback.hpp"

namespace caribou::motion {

void FaultWatch::step(const Senses& senses, const Evidence& evidence) {
    watch_deadlines(evidence);
    if (evidence.driver_complains) faults_.insert(MotionFault::motor_driver);
    if (evidence.battery == BatteryState::critical) faults_.insert(MotionFault::battery_critical);
    // While the motors are off, sensors may be powered down and wheels be pushed.
    const bool missing = evidence.motors_on && !senses.missing.empty();
    if (sensor_missing_.longer_than(settings_.sensor_dead_after, missing, evidence.now))
        faults_.insert(MotionFault::sensor_dead);
    const double speed = speed_without_order(evidence);
    if (contradiction_.longer_than(settings_.disagreement_after, encoders_contradict(senses, evidence),
                                   evidence.now) ||
        turning_.longer_than(settings_.disagreement_after, speed >= turning_speed, evidence.now) ||
        creeping_.longer_than(creep_limit, speed > WheelFeedback::still_speed, evidence.now))
        faults_.insert(MotionFault::encoder_disagreement);
    stuck_ = no_motion_.longer_than(settings_.stuck_after, does_not_move(senses, evidence), evidence.now);
}

void FaultWatch::watch_deadlines(const Evidence& evidence) {
    const Duration gap = last_step_ ? evidence.now - *last_step_ : Duration::zero();
    last_step_ = evidence.now;
    const bool late = gap > 2 * settings_.period;
    late_steps_ += late ? 1 : 0;
    late_in_a_row_ = late ? late_in_a_row_ + 1 : 0;
    const bool missed =
        evidence.motors_were_cut || gap > settings_.stall_after || late_in_a_row_ >= late_limit;
    if (evidence.motors_on && missed) faults_.insert(MotionFault::missed_deadlines);
}

/// While the motors are off, a robot that was at rest may be pushed.
double FaultWatch::speed_without_order(const Evidence& evidence) {
    if (!evidence.measured) return 0.0;
    if (evidence.driven != WheelSpeeds{}) {
        rested_ = false;
        return 0.0;
    }
    const double speed = std::max(std::abs(evidence.measured->right), std::abs(evidence.measured->left));
    rested_ = rested_ || speed <= WheelFeedback::still_speed;
    return evidence.motors_on || !rested_ ? speed : 0.0;
}

/// A driven wheel that turns differently from its order; or an encoder whose rotation the gyroscope
/// contradicts while it confirms the order. A wheel that does not turn may be blocked, which is not an
/// encoder fault.
bool FaultWatch::encoders_contradict(const Senses& senses, const Evidence& evidence) const {
    if (!evidence.measured || evidence.driven == WheelSpeeds{}) return false;
    const auto is_off = [&](double driven, double measured) {
        const double tolerance = std::max(settings_.disagreement_speed, 0.5 * std::abs(driven));
        return std::abs(measured) > WheelFeedback::still_speed && std::abs(measured - driven) > tolerance;
    };
    if (is_off(evidence.driven.right, evidence.measured->right) ||
        is_off(evidence.driven.left, evidence.measured->left))
        return true;
    return senses.yaw_rate && std::abs(yaw_rate(*evidence.measured) - *senses.yaw_rate) > yaw_tolerance &&
           std::abs(yaw_rate(evidence.driven) - *senses.yaw_rate) < yaw_tolerance / 2.0;
}

/// A driven wheel that does not turn; or a robot that should rotate and, by its gyroscope, does not.
bool FaultWatch::does_not_move(const Senses& senses, const Evidence& evidence) const {
    const auto stands = [](double driven, double measured) {
        return std::abs(driven) > 2.0 * WheelFeedback::still_speed &&
               std::abs(measured) < WheelFeedback::still_speed;
    };
    if (evidence.measured && (stands(evidence.driven.right, evidence.measured->right) ||
                              stands(evidence.driven.left, evidence.measured->left)))
        return true;
    const double driven = std::abs(yaw_rate(evidence.driven));
    return senses.yaw_rate && driven > yaw_tolerance && std::abs(*senses.yaw_rate) < 0.1 * driven;
}

}  // namespace caribou::motion
