#include "robot/ros_messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/geometry.hpp"
#include "link/command_movement.hpp"
#include "negotiation/ros_units.hpp"

namespace caribou::robot {
namespace {

using Supply = msg::sensor_msgs::BatteryState;

constexpr float not_known = std::numeric_limits<float>::quiet_NaN();

msg::std_msgs::Header header(double stamp, std::string_view frame) {
    return {.stamp = ros_time(stamp), .frame_id = std::string(frame)};
}

msg::geometry_msgs::Quaternion rotation(double heading) {
    const auto planar = negotiation::rotation_of(heading);
    return {.x = 0, .y = 0, .z = planar.z, .w = planar.w};
}

// Variances of the encoder speeds over a tenth of a second: one tick, and slip.
constexpr double speed_variance = 0.01 * 0.01;       ///< (m/s)2
constexpr double yaw_rate_variance = 0.05 * 0.05;    ///< (rad/s)2
constexpr double gyro_variance = 0.02 * 0.02;        ///< (rad/s)2
constexpr double acceleration_variance = 0.1 * 0.1;  ///< (m/s2)2
constexpr float fixed_distance = 0.02F;              ///< m; of bumpers and cliff sensors
/// For unmeasured axes: vertical motion and tilt.
constexpr double unmeasured = 1e6;
/// Added to the variances of the pose, in m2 and rad2: a filter cannot use one of zero, as at the start.
constexpr double least_variance = 1e-6;

/// Returns the covariance of x, y, z, roll, pitch and yaw, row by row.
std::array<double, 36> planar_covariance(const motion::PoseSpread& s) {
    std::array<double, 36> all{};
    for (const std::size_t axis : {2U, 3U, 4U}) all.at(axis * 7) = unmeasured;
    all[0] = s.xx + least_variance;
    all[1] = all[6] = s.xy;
    all[5] = all[30] = s.xh;
    all[7] = s.yy + least_variance;
    all[11] = all[31] = s.yh;
    all[35] = s.hh + least_variance;
    return all;
}

std::uint8_t supply_status(const data::Battery& battery) {
    if (std::isnan(battery.amperes)) return Supply::POWER_SUPPLY_STATUS_UNKNOWN;
    if (battery.amperes > 0) return Supply::POWER_SUPPLY_STATUS_CHARGING;
    return battery.on_charger ? Supply::POWER_SUPPLY_STATUS_NOT_CHARGING
                              : Supply::POWER_SUPPLY_STATUS_DISCHARGING;
}

}  // namespace

msg::builtin_interfaces::Time ros_time(double unix_seconds) {
    const double whole = std::floor(unix_seconds);
    return {.sec = static_cast<std::int32_t>(whole),
            .nanosec = static_cast<std::uint32_t>((unix_seconds - whole) * 1e9)};
}

msg::geometry_msgs::TransformStamped ros_transform(double stamp, std::string_view parent,
                                                   std::string_view child, const Pose& pose) {
    msg::geometry_msgs::TransformStamped message;
    message.header = header(stamp, parent);
    message.child_frame_id = child;
    message.transform.translation = {.x = pose.x, .y = pose.y, .z = 0};
    message.transform.rotation = rotation(pose.heading);
    return message;
}

msg::sensor_msgs::LaserScan ros_scan(double stamp, const RosFrames::Options& frames,
                                     const motion::LidarScan& scan, const LidarLimits& limits,
                                     Duration period) {
    msg::sensor_msgs::LaserScan message;
    message.header = header(stamp, frames.laser);
    const double last = scan.ranges.empty() ? 0 : static_cast<double>(scan.ranges.size() - 1);
    message.angle_min = static_cast<float>(scan.first_angle);
    message.angle_max = static_cast<float>(scan.first_angle + last * scan.angle_step);
    message.angle_increment = static_cast<float>(scan.angle_step);
    message.scan_time = static_cast<float>(to_seconds(period));
    message.range_min = static_cast<float>(limits.nearest);
    message.range_max = static_cast<float>(limits.reach);
    // Infinity and NaN have the same meaning in ROS 2 (REP-117).
    message.ranges = scan.ranges;
    return message;
}

msg::nav_msgs::Odometry ros_odometry(double stamp, const RosFrames::Options& frames,
                                     const motion::Odometry& odometry) {
    msg::nav_msgs::Odometry message;
    message.header = header(stamp, frames.odom);
    message.child_frame_id = frames.base;
    message.pose.pose.position = {.x = odometry.pose.x, .y = odometry.pose.y, .z = 0};
    message.pose.pose.orientation = rotation(odometry.pose.heading);
    message.pose.covariance = planar_covariance(odometry.spread);
    message.twist.twist.linear.x = odometry.speed;
    message.twist.twist.angular.z = odometry.yaw_rate;
    message.twist.covariance =
        planar_covariance({.xx = speed_variance, .yy = speed_variance, .hh = yaw_rate_variance});
    return message;
}

msg::sensor_msgs::JointState ros_joints(double stamp, const motion::WheelWay& rolled,
                                        const std::optional<motion::WheelSpeeds>& measured,
                                        double wheel_radius) {
    msg::sensor_msgs::JointState message;
    message.header = header(stamp, "");
    message.name = {"left_wheel_joint", "right_wheel_joint"};
    message.position = {rolled.left / wheel_radius, rolled.right / wheel_radius};
    if (measured) message.velocity = {measured->left / wheel_radius, measured->right / wheel_radius};
    return message;
}

Supply ros_battery(double stamp, const RosFrames::Options& frames, const data::Battery& battery) {
    Supply message;
    message.header = header(stamp, frames.base);
    message.voltage = battery.volts;
    message.temperature = not_known;
    message.current = battery.amperes;
    message.charge = not_known;
    message.capacity = not_known;
    message.design_capacity = not_known;
    message.percentage = battery.level;
    message.power_supply_status = supply_status(battery);
    message.present = true;
    return message;
}

msg::sensor_msgs::Imu ros_imu(double stamp, const RosFrames::Options& frames,
                              const motion::ImuReading& reading) {
    msg::sensor_msgs::Imu message;
    message.header = header(stamp, frames.base);
    message.orientation_covariance[0] = -1;
    message.angular_velocity.z = reading.yaw_rate;
    message.angular_velocity_covariance = {unmeasured, 0, 0, 0, unmeasured, 0, 0, 0, gyro_variance};
    message.linear_acceleration.x = reading.acceleration;
    message.linear_acceleration_covariance = {
        acceleration_variance, 0, 0, 0, unmeasured, 0, 0, 0, unmeasured};
    return message;
}

bool is_ros_range(motion::SensorKind kind) {
    return kind == motion::SensorKind::range || kind == motion::SensorKind::bumper ||
           kind == motion::SensorKind::cliff;
}

std::optional<msg::sensor_msgs::Range> ros_range(double stamp, const RosFrames::Options& frames,
                                                 const motion::SensorPlan& sensor,
                                                 const motion::SensorReading& reading) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    msg::sensor_msgs::Range message;
    message.header = header(stamp, frames.of_sensor(sensor.name));
    message.radiation_type = msg::sensor_msgs::Range::INFRARED;
    message.field_of_view = 0.1F;
    if (const auto* const meters = std::get_if<double>(&reading)) {
        message.max_range = static_cast<float>(sensor.reach);
        message.range = static_cast<float>(*meters);
        return message;
    }
    // Equal limits mark a sensor with a fixed distance (REP-117).
    message.min_range = message.max_range = fixed_distance;
    const auto* const is_on = std::get_if<bool>(&reading);
    if (!is_on) return std::nullopt;
    message.range = *is_on ? -infinite : infinite;
    return message;
}

msg::diagnostic_msgs::DiagnosticArray ros_diagnostics(double stamp, const std::string& robot,
                                                      const TelemetryRound& round) {
    using msg::diagnostic_msgs::DiagnosticStatus;
    const link::Telemetry& now = round.summary;
    DiagnosticStatus status;
    status.name = robot + ": robot";
    status.hardware_id = robot;
    const bool is_low = round.motion.battery >= motion::BatteryState::warn;
    if (!now.faults.empty()) {
        status.level = DiagnosticStatus::ERROR;
        status.message = fmt::format("{}", fmt::join(now.faults, ", "));
    } else if (now.stopped || is_low) {
        status.level = DiagnosticStatus::WARN;
        status.message = now.stopped ? "stopped until released" : "the battery is low";
    } else {
        status.message = "OK";
    }
    status.values = {{"run_mode", std::string(link::to_string(now.run_mode))},
                     {"behavior", now.behavior},
                     {"battery", link::level_text(now.battery)},
                     {"motion", now.reason}};
    msg::diagnostic_msgs::DiagnosticArray message;
    message.header = header(stamp, "");
    message.status.push_back(std::move(status));
    return message;
}

msg::nav_msgs::OccupancyGrid ros_map(double stamp, const RosFrames::Options& frames,
                                     const map::OccupancyGrid& grid) {
    const map::GridFrame& frame = grid.frame();
    msg::nav_msgs::OccupancyGrid message;
    message.header = header(stamp, frames.map);
    message.info.map_load_time = message.header.stamp;
    message.info.resolution = static_cast<float>(frame.cell);
    message.info.width = static_cast<std::uint32_t>(frame.columns);
    message.info.height = static_cast<std::uint32_t>(frame.rows);
    message.info.origin.position = {.x = frame.low.x, .y = frame.low.y, .z = 0};
    message.info.origin.orientation = rotation(0);
    message.data.reserve(frame.size());
    for (std::size_t i = 0; i < frame.size(); ++i) {
        // Nodes such as AMCL take all other values as unknown.
        switch (grid.at(i)) {
            case map::Occupancy::unknown: message.data.push_back(-1); break;
            case map::Occupancy::free: message.data.push_back(0); break;
            case map::Occupancy::occupied: message.data.push_back(100); break;
        }
    }
    return message;
}

msg::rcl_interfaces::Log ros_log(double stamp, const std::string& node, Level level, std::string_view text) {
    using msg::rcl_interfaces::Log;
    constexpr std::array levels{Log::DEBUG, Log::INFO, Log::WARN, Log::ERROR};
    Log message;
    message.stamp = ros_time(stamp);
    message.level = levels.at(static_cast<std::size_t>(level));
    message.name = node;
    message.msg = text;
    return message;
}

std::optional<Velocity> velocity_of(const msg::geometry_msgs::Twist& twist) {
    const double forward = twist.linear.x;
    const double turn = twist.angular.z;
    if (!std::isfinite(forward) || !std::isfinite(turn)) return std::nullopt;
    return Velocity{std::clamp(forward, -link::max_forward, link::max_forward),
                    std::clamp(turn, -link::max_turn, link::max_turn)};
}

}  // namespace caribou::robot
