#include "motion/motion_settings.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::motion {

double MotionSettings::speed_of(int level) const {
    const std::array<double, 4> speeds = {0.0, level_1, level_2, level_3};
    const double speed = speeds.at(static_cast<std::size_t>(level < 0 ? -level : level));
    return level < 0 ? -speed : speed;
}

int MotionSettings::level_of(double speed) const {
    if (speed == 0.0) return 0;
    const double wheel = std::abs(speed);
    const int level = wheel < (level_1 + level_2) / 2.0 ? 1 : wheel < (level_2 + level_3) / 2.0 ? 2 : 3;
    return speed < 0.0 ? -level : level;
}

Duration MotionSettings::full_stop_time(double speed) const {
    return full_stop_deceleration > 0.0 ? from_seconds(speed / full_stop_deceleration) : Duration::zero();
}

std::span<const MotionSetting> motion_setting_table() {
    using S = MotionSettings;
    static constexpr auto table = std::to_array<MotionSetting>({
        {"period", &S::period, 0.01, 0.02, "s", "between two steps of propulsion"},
        {"level_1", &S::level_1, 0.01, 5.0, "m/s", "speed of a wheel at level 1"},
        {"level_2", &S::level_2, 0.01, 5.0, "m/s", "speed of a wheel at level 2"},
        {"level_3", &S::level_3, 0.01, 5.0, "m/s", "speed of a wheel at level 3"},
        {"acceleration", &S::acceleration, 0.05, 20.0, "m/s2", "that a wheel gains at most"},
        {"deceleration", &S::deceleration, 0.05, 20.0, "m/s2", "that a wheel loses when ordered"},
        {"stop_deceleration", &S::stop_deceleration, 0.5, 50.0, "m/s2", "that a wheel loses when stopped"},
        {"full_stop_deceleration", &S::full_stop_deceleration, 0.0, 50.0, "m/s2",
         "that a wheel loses in a full stop; 0: zero is ordered at once"},
        {"turn_speed", &S::turn_speed, 0.1, 10.0, "rad/s", "that a velocity turns at most"},
        {"jerk", &S::jerk, 0.5, 100.0, "m/s3",
         "by which the acceleration of a wheel grows at most, for a velocity"},
        {"halt_dwell", &S::halt_dwell, 0.0, 2.0, "s", "at rest before another way is taken"},
        {"strict_transitions", &S::strict_transitions, 0.0, 1.0, "", "refuse instead of going through HALT"},
        {"closed_loop", &S::closed_loop, 0.0, 1.0, "",
         "control the speed of each wheel by its encoder, for a base that does not do so itself"},
        {"wheel_p", &S::wheel_p, 0.0, 5.0, "",
         "of a closed loop: share of the error that is ordered in addition"},
        {"wheel_i", &S::wheel_i, 0.0, 20.0, "1/s", "of a closed loop: share of the integral of the error"},
        {"wheel_d", &S::wheel_d, 0.0, 0.5, "s", "of a closed loop: share of the change of the error"},
        {"wheel_gain_right", &S::wheel_gain_right, 0.5, 2.0, "",
         "of a closed loop: order per wanted speed of the right wheel"},
        {"wheel_gain_left", &S::wheel_gain_left, 0.5, 2.0, "", "the same for the left wheel"},
        {"wheel_start_right", &S::wheel_start_right, 0.0, 0.3, "m/s",
         "of a closed loop: order in addition, so that the right wheel begins to turn"},
        {"wheel_start_left", &S::wheel_start_left, 0.0, 0.3, "m/s", "the same for the left wheel"},
        {"time_to_live", &S::time_to_live, 0.1, 2.0, "s", "of an order that is not renewed"},
        {"max_time_to_live", &S::max_time_to_live, 0.1, 10.0, "s", "that an order may ask for"},
        {"stop_zone", &S::stop_zone, 0.0, 1.0, "m", "clear of the hull, or no motion there"},
        {"slow_zone", &S::slow_zone, 0.0, 5.0, "m", "clear of the hull, or slower"},
        {"zone_margin", &S::zone_margin, 0.0, 0.5, "m", "beside the hull that counts as in the way"},
        {"creep_speed", &S::creep_speed, 0.01, 0.5, "m/s", "close to things, and where nothing looks"},
        {"back_off", &S::back_off, 0.0, 3.0, "s", "away from a bump or cliff"},
        {"stuck_after", &S::stuck_after, 0.2, 10.0, "s", "driven without moving"},
        {"stall_after", &S::stall_after, 0.1, 1.0, "s", "without a step: the watchdog cuts the motors"},
        {"sensor_dead_after", &S::sensor_dead_after, 0.1, 10.0, "s", "without a reading that is required"},
        {"disagreement_after", &S::disagreement_after, 0.2, 10.0, "s", "of encoders that contradict"},
        {"disagreement_speed", &S::disagreement_speed, 0.02, 2.0, "m/s", "that an encoder may be off"},
        {"battery_warn", &S::battery_warn, 0.0, 1.0, "", "level at which to warn"},
        {"battery_dock", &S::battery_dock, 0.0, 1.0, "", "level at which to go to the dock"},
        {"battery_critical", &S::battery_critical, 0.0, 1.0, "", "level at which everything ends"},
        {"battery_hysteresis", &S::battery_hysteresis, 0.0, 0.2, "",
         "above a level before it counts as left"},
    });
    return table;
}

std::vector<std::string> contradictions(const MotionSettings& s, const BodyPlan& body) {
    std::vector<std::string> found;
    const auto ascend = [&](std::string_view low, double a, std::string_view high, double b) {
        if (a > b) found.push_back(fmt::format("{} ({:.6g}) has to be at most {} ({:.6g})", low, a, high, b));
    };
    ascend("level_1", s.level_1, "level_2", s.level_2);
    ascend("level_2", s.level_2, "level_3", s.level_3);
    ascend("level_3", s.level_3, "what the body can do", body.max_speed);
    ascend("creep_speed", s.creep_speed, "level_3", s.level_3);
    ascend("deceleration", s.deceleration, "stop_deceleration", s.stop_deceleration);
    if (s.full_stop_deceleration > 0.0)
        ascend("stop_deceleration", s.stop_deceleration, "full_stop_deceleration", s.full_stop_deceleration);
    ascend("time_to_live", to_seconds(s.time_to_live), "max_time_to_live", to_seconds(s.max_time_to_live));
    ascend("stop_zone", s.stop_zone, "slow_zone", s.slow_zone);
    ascend("battery_critical", s.battery_critical, "battery_dock", s.battery_dock);
    ascend("battery_dock", s.battery_dock, "battery_warn", s.battery_warn);
    // The stopping distance from full speed must fit between the zones.
    ascend("the braking distance from level_3 by stop_deceleration",
           s.level_3 * s.level_3 / (2.0 * s.stop_deceleration), "slow_zone - stop_zone",
           s.slow_zone - s.stop_zone);
    return found;
}

}  // namespace caribou::motion
