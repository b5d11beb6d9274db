#include "devices/device_body.hpp"

#include <algorithm>

namespace caribou::devices {
namespace {

motion::BodyPlan plan_with_lidar(motion::BodyPlan plan,
                                 const std::optional<DeviceBody::LidarOptions>& lidar) {
    if (lidar)
        plan.sensors.push_back({.name = "lidar",
                                .kind = motion::SensorKind::lidar,
                                .pose = lidar->mount.pose,
                                .reach = lidar->reach,
                                .required = lidar->required});
    return plan;
}

const std::int64_t* ticks_of(const Base& base, motion::SensorKind kind, motion::SensorReading& into) {
    const auto& sensors = base.plan().sensors;
    const auto found = std::ranges::find(sensors, kind, &motion::SensorPlan::kind);
    if (found == sensors.end()) return nullptr;
    into = base.read(static_cast<std::size_t>(found - sensors.begin()));
    return std::get_if<std::int64_t>(&into);
}

}  // namespace

DeviceBody::DeviceBody(Base& base, std::optional<LidarOptions> lidar)
    : base_(base),
      plan_(plan_with_lidar(base.plan(), lidar)),
      trail_(plan_.wheel_base, plan_.metres_per_tick),
      scans_(lidar ? lidar->mount : LidarMount{}, trail_) {}

void DeviceBody::tick(Instant now) {
    now_ = now;
    motion::SensorReading right;
    motion::SensorReading left;
    const std::int64_t* const right_ticks = ticks_of(base_, motion::SensorKind::encoder_right, right);
    const std::int64_t* const left_ticks = ticks_of(base_, motion::SensorKind::encoder_left, left);
    if (right_ticks != nullptr && left_ticks != nullptr) trail_.add(*right_ticks, *left_ticks, now);
}

motion::SensorReading DeviceBody::read(std::size_t sensor) {
    if (sensor < base_.plan().sensors.size()) return base_.read(sensor);
    if (scans_.scan() == nullptr || now_ - scans_.ended() > stale_after) return motion::NoReading{};
    return scans_.scan();
}

Result<void> DeviceBody::enable_motors(bool enabled) {
    enabled_ = enabled;
    base_.enable(enabled);
    return {};
}

Result<void> DeviceBody::cut_motors() { return enable_motors(false); }

Result<void> DeviceBody::set_power(std::size_t sensor, bool) {
    return fail(Code::refused, plan_.sensors.at(sensor).name + " cannot be powered down");
}

}  // namespace caribou::devices
