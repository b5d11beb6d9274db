#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "motion/clearance.hpp"
#include "motion/motion.hpp"
#include "motion/motion_settings.hpp"
#include "motion/obstacle_memory.hpp"

namespace caribou::motion {

/// What propulsion knows of the body and of what is around it.
struct Senses {
    explicit Senses(const Clearance& nothing) : clearance(nothing), lately(nothing) {}

    std::optional<std::int64_t> right_ticks;
    std::optional<std::int64_t> left_ticks;
    std::optional<double> yaw_rate;  ///< rad/s
    std::optional<double> battery;   ///< 0 to 1
    bool emergency = false;          ///< an emergency stop says so, or says nothing
    bool bump_ahead = false;
    bool bump_behind = false;
    bool cliff_ahead = false;
    bool cliff_behind = false;
    Clearance clearance;
    Clearance lately;            ///< by what was seen in the last seconds, in sight now or not
    std::string_view missing{};  ///< the name of a required sensor without a reading
};

/// Reads the sensors of a body for propulsion.
class MotionSenses {
public:
    MotionSenses(Body& body, const MotionSettings& settings);

    /// `odometry`: to know where a scan was taken.
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
    // A scan stays the same for several steps; what it means is worked out once.
    std::shared_ptr<const LidarScan> scan_;
    Clearance scan_clearance_;
    double scan_driven_ = 0.0;
};

}  // namespace caribou::motion
