#include "motion/motion.hpp"

#include <algorithm>
#include <array>

#include "base/geometry.hpp"

namespace caribou::motion {
namespace {

template <class Enum, std::size_t size>
std::string_view name(const std::array<std::string_view, size>& names, Enum value) {
    return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view to_string(SensorKind kind) {
    static constexpr std::array<std::string_view, 11> names = {
        "encoder_right", "encoder_left", "range",   "lidar",          "bumper", "cliff",
        "imu",           "battery",      "charger", "emergency_stop", "eyes"};
    return name(names, kind);
}

std::string_view to_string(MotionSource source) {
    static constexpr std::array<std::string_view, 4> names = {"reflex", "operator", "autopilot", "ai"};
    return name(names, source);
}

std::string_view to_string(MotionRefusal refusal) {
    static constexpr std::array<std::string_view, 10> names = {
        "not_permitted", "motors_off", "stop_latched", "illegal_transition", "bad_time_to_live",
        "bad_velocity",  "faulted",    "busy",         "body_absent",        "guard_cut"};
    return name(names, refusal);
}

std::string_view sentence(MotionRefusal refusal) {
    static constexpr std::array<std::string_view, 10> sentences = {
        "the run mode does not let this source move the robot; change it with setRM",
        "the run mode keeps the motors off; change it with setRM",
        "full stop is latched; a driver or an administrator has to release it with release_stop",
        "this movement may not follow the present one; send HALT first",
        "the time to live has to be above zero and at most safety.max_time_to_live (2 s unless configured)",
        "a velocity needs finite numbers",
        "the robot has a fault that only a restart ends; see its report",
        "too many orders at once; send them more slowly",
        "the body cannot be driven at present",
        "the guard has stopped the body"};
    return name(sentences, refusal);
}

std::string_view to_string(StopCause cause) {
    static constexpr std::array<std::string_view, 12> names = {
        "operator",   "station",     "bus",        "emergency_input", "shutdown",        "overload",
        "state_lost", "main_silent", "self_check", "thread_silent",   "receiver_silent", "ros"};
    return name(names, cause);
}

std::string_view to_string(MotionReason reason) {
    static constexpr std::array<std::string_view, 19> names = {
        "motion_unknown", "fault",     "body_absent",   "emergency_input",
        "stop_latched",   "guard_cut", "motors_off",    "bump",
        "cliff",          "held",      "obstacle_stop", "zone_stop",
        "obstacle_slow",  "zone_slow", "blind",         "through_halt",
        "dead_man",       "no_order",  "order"};
    return name(names, reason);
}

std::string_view to_string(MotionFault fault) {
    static constexpr std::array<std::string_view, 7> names = {
        "motor_driver",     "encoder_disagreement", "missed_deadlines", "sensor_dead",
        "battery_critical", "motors_not_cut",       "guard_silent"};
    return name(names, fault);
}

std::string_view to_string(BatteryState state) {
    static constexpr std::array<std::string_view, 5> names = {"unknown", "good", "warn", "dock", "critical"};
    return name(names, state);
}

Pose pose_after(const Odometry& odometry, Duration later) {
    const double time =
        to_seconds(std::clamp(later, Duration::zero(), Duration(std::chrono::milliseconds(100))));
    const double turn = odometry.yaw_rate * time;
    const Vec2 way = towards(turn / 2) * (odometry.speed * time);
    return composed(odometry.pose, {way.x, way.y, turn});
}

MotionReport as_of(const MotionReport& report, Instant now, Duration limit) {
    if (now - report.at <= limit) return report;
    MotionReport old = report;
    old.state = MovementState::unknown;
    old.driven = {};
    old.measured.reset();
    old.winner.reset();
    old.command = {};
    old.right_level = old.left_level = 0;
    old.reasons = {MotionReason::motion_unknown};
    old.reason = MotionReason::motion_unknown;
    old.stuck = false;
    old.odometry.speed = old.odometry.yaw_rate = 0.0;
    return old;
}

}  // namespace caribou::motion
