#pragma once

#include <optional>

#include "devices/base.hpp"
#include "devices/odometry_trail.hpp"
#include "devices/scan_maker.hpp"
#include "motion/body.hpp"

namespace caribou::devices {

/// A base, and a lidar on it if there is one, as the body of a robot. The lidar is the last sensor of the
/// plan and is called `lidar`.
class DeviceBody final : public motion::Body {
public:
    struct LidarOptions {
        LidarMount mount{};
        double reach = 12.0;   ///< m
        bool required = true;  ///< the robot does not move without it
    };
    /// The age after which a scan is no reading.
    static constexpr Duration stale_after = std::chrono::milliseconds(500);

    /// `base` outlives it.
    explicit DeviceBody(Base& base, std::optional<LidarOptions> lidar = std::nullopt);

    /// Takes the points of the lidar.
    ScanMaker& scans() { return scans_; }
    /// Called with the time before the body is read.
    void tick(Instant now);

    const motion::BodyPlan& plan() const override { return plan_; }
    motion::SensorReading read(std::size_t sensor) override;
    Result<void> enable_motors(bool enabled) override;
    bool motors_enabled() override { return enabled_; }
    void drive(motion::WheelSpeeds speeds) override { base_.drive(speeds); }
    Result<void> cut_motors() override;
    std::string motor_fault() override { return {}; }
    Result<void> set_power(std::size_t sensor, bool on) override;
    void set_lights(motion::BodyLights lights) override { base_.set_lights(lights); }
    std::vector<motion::PartCheck> self_check() override { return {}; }

private:
    Base& base_;
    motion::BodyPlan plan_;
    OdometryTrail trail_;
    ScanMaker scans_;
    Instant now_{};
    bool enabled_ = false;
};

}  // namespace caribou::devices
