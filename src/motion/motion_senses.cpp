#include "motion/motion_senses.hpp"

namespace caribou::motion {

MotionSenses::MotionSenses(Body& body, const MotionSettings& settings)
    : body_(body),
      nothing_(body.plan().radius, settings.zone_margin),
      senses_(nothing_),
      memory_(body.plan().radius + settings.slow_zone),
      scan_clearance_(nothing_) {}

const Senses& MotionSenses::read(const Odometry& odometry, Instant now) {
    senses_ = Senses(nothing_);
    odometry_ = odometry;
    now_ = now;
    const auto& sensors = body_.plan().sensors;
    for (std::size_t i = 0; i < sensors.size(); ++i) take(sensors[i], body_.read(i));
    memory_.add_to(senses_.lately, odometry.pose);
    return senses_;
}

void MotionSenses::take(const SensorPlan& sensor, const SensorReading& reading) {
    if (std::holds_alternative<NoReading>(reading)) {
        if (sensor.required) senses_.missing = sensor.name;
        if (sensor.kind == SensorKind::emergency_stop) senses_.emergency = true;
        senses_.lidar_is_silent |= sensor.kind == SensorKind::lidar;
        return;
    }
    const auto is_true = [&] {
        const bool* const value = std::get_if<bool>(&reading);
        return value != nullptr && *value;
    };
    const auto ticks = [&] {
        const auto* const value = std::get_if<std::int64_t>(&reading);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    };
    // A touch at the side affects neither direction.
    const auto warn = [&](bool& ahead, bool& behind) {
        ahead |= looks_ahead(sensor.pose) && is_true();
        behind |= looks_behind(sensor.pose) && is_true();
    };
    switch (sensor.kind) {
        case SensorKind::encoder_right: senses_.right_ticks = ticks(); break;
        case SensorKind::encoder_left: senses_.left_ticks = ticks(); break;
        case SensorKind::range:
            if (const auto* distance = std::get_if<double>(&reading))
                senses_.clearance.add(sensor.pose, *distance);
            break;
        case SensorKind::lidar:
            if (const auto* scan = std::get_if<std::shared_ptr<const LidarScan>>(&reading))
                take_scan(sensor, *scan);
            break;
        case SensorKind::bumper: warn(senses_.bump_ahead, senses_.bump_behind); break;
        case SensorKind::cliff: warn(senses_.cliff_ahead, senses_.cliff_behind); break;
        case SensorKind::imu:
            if (const auto* imu = std::get_if<ImuReading>(&reading)) senses_.yaw_rate = imu->yaw_rate;
            break;
        case SensorKind::battery:
            if (const auto* battery = std::get_if<BatteryReading>(&reading)) senses_.battery = battery->level;
            break;
        case SensorKind::emergency_stop: senses_.emergency |= is_true(); break;
        case SensorKind::charger:
        case SensorKind::eyes: break;
    }
}

void MotionSenses::take_scan(const SensorPlan& sensor, const std::shared_ptr<const LidarScan>& scan) {
    if (scan == nullptr) {
        senses_.lidar_is_silent = true;
        return;
    }
    if (scan != scan_) {
        scan_ = scan;
        scan_at_ = now_;
        scan_driven_ = odometry_.distance;
        scan_clearance_ = nothing_;
        scan_clearance_.add(sensor.pose, *scan);
        memory_.see(odometry_.pose, sensor.pose, *scan, now_);
    }
    const bool is_old = now_ - scan_at_ > scan_lasts;
    senses_.lidar_is_silent |= is_old;
    if (!is_old) senses_.clearance.merge(scan_clearance_, odometry_.distance - scan_driven_);
}

}  // namespace caribou::motion
