#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "motion/clearance.hpp"
#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"
#include "motion/obstacle_memory.hpp"

namespace caribou::motion {

/// The state of the body and its surroundings, as sensed by propulsion.
struct Senses {
    explicit Senses(const Clearance& nothing) : clearance(nothing), lately(nothing) {}

    std::optional<std::int64_t> right_ticks;
    std::optional<std::int64_t> left_ticks;
    std::optional<double> yaw_rate;  ///< rad/s
    std::optional<double> battery;   ///< 0 to 1
    bool emergency = false;          ///< emergency stop active, or without a reading
    bool bump_ahead = false;
    bool bump_behind = false;
    bool cliff_ahead = false;
    bool cliff_behind = false;
    Clearance clearance;
    Clearance lately;              ///< from objects seen in the last seconds, in sight or not
    bool lidar_is_silent = false;  ///< the body has a lidar that gives no scans: dead, or switched off
    std::string_view missing{};    ///< name of a required sensor without a reading; empty if there is none
};

/// Reads the sensors of a body for propulsion.
class MotionSenses {
public:
    /// A lidar without a new scan for this time is silent: the last one shows where it was, not where it is.
    static constexpr Duration scan_lasts = std::chrono::seconds(2);

    MotionSenses(Body& body, const MotionSettings& settings);

    /// `odometry` is the pose at which a scan was taken.
    const Senses& read(const Odometry& odometry, Instant now);

private:
    void take(const SensorPlan& sensor, const SensorReading& reading);
    void take_scan(const SensorPlan& sensor, const std::shared_ptr<const LidarScan>& scan);

    Body& body_;
    Clearance nothing_;
    Senses senses_;
    Odometry odometry_{};
    Instant now_{};
    ObstacleMemory memory_;
    // A scan is the same object for several steps; it is evaluated once.
    std::shared_ptr<const LidarScan> scan_;
    Clearance scan_clearance_;
    double scan_driven_ = 0.0;
    Instant scan_at_{};
};

}  // namespace caribou::motion
