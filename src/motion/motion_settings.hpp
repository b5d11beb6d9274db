#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "loop/time.hpp"
#include "motion/body.hpp"

namespace caribou::motion {

/// The limits of motion. Lengths in m, speeds in m/s, accelerations in m/s2, shares from 0 to 1.
struct MotionSettings {
    Duration period = std::chrono::milliseconds(20);
    double level_1 = 0.12;
    double level_2 = 0.25;
    double level_3 = 0.45;
    double acceleration = 0.6;
    double deceleration = 0.9;
    double stop_deceleration = 2.5;
    double full_stop_deceleration = 0.0;  ///< 0: a full stop orders zero at once
    double turn_speed = 2.0;              ///< rad/s; of a velocity
    double jerk = 6.0;                    ///< m/s3; of a velocity
    Duration halt_dwell = std::chrono::milliseconds(100);
    bool strict_transitions = false;

    bool closed_loop = false;  ///< controls the speed of the wheels by their encoders
    double wheel_p = 0.4;      ///< of the error of the speed
    double wheel_i = 2.0;      ///< 1/s; of its integral
    double wheel_d = 0.0;      ///< s; of its change
    double wheel_gain_right = 1.0;
    double wheel_gain_left = 1.0;
    double wheel_start_right = 0.0;
    double wheel_start_left = 0.0;

    Duration time_to_live = std::chrono::milliseconds(500);
    Duration max_time_to_live = std::chrono::seconds(2);

    double stop_zone = 0.08;
    double slow_zone = 0.50;
    double zone_margin = 0.03;
    double creep_speed = 0.08;
    Duration back_off = std::chrono::milliseconds(500);

    Duration stuck_after = std::chrono::seconds(2);
    Duration stall_after = std::chrono::milliseconds(200);
    Duration sensor_dead_after = std::chrono::seconds(1);
    Duration disagreement_after = std::chrono::seconds(1);
    double disagreement_speed = 0.15;

    double battery_warn = 0.30;
    double battery_dock = 0.20;
    double battery_critical = 0.05;
    double battery_hysteresis = 0.03;

    friend bool operator==(const MotionSettings&, const MotionSettings&) = default;

    /// Returns the age at which a report of propulsion becomes invalid.
    Duration report_limit() const { return std::max<Duration>(std::chrono::milliseconds(200), 3 * period); }
    /// Returns the time of a stop, other than a full stop, from the highest speed to rest, as ordered.
    Duration braking_time() const { return from_seconds(level_3 / stop_deceleration); }
    /// Returns the time from the first step of a full stop at this speed (m/s) until zero is ordered.
    Duration full_stop_time(double speed) const;
    /// Returns the wheel's speed at a level from -3 to 3.
    double speed_of(int level) const;
    /// Returns the level whose speed is nearest to that of a wheel; not 0 unless the wheel rests.
    int level_of(double speed) const;
};

/// One setting of a file: for readers, `--print-config` and the documentation.
struct MotionSetting {
    using Member = std::variant<double MotionSettings::*, Duration MotionSettings::*, bool MotionSettings::*>;
    std::string_view name;
    Member member;
    double low = 0.0;   ///< minimum; durations in seconds
    double high = 0.0;  ///< maximum
    std::string_view unit;
    std::string_view meaning;
};
/// Returns all settings, in the order of the struct.
std::span<const MotionSetting> motion_setting_table();

/// Returns contradictions between settings that are each in range, as sentences.
std::vector<std::string> contradictions(const MotionSettings& settings, const BodyPlan& body);

}  // namespace caribou::motion
