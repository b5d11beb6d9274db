#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/velocity.hpp"
#include "map/grid.hpp"
#include "msg/geometry_msgs/transform_stamped.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/nav_msgs/occupancy_grid.hpp"
#include "msg/nav_msgs/odometry.hpp"
#include "msg/sensor_msgs/battery_state.hpp"
#include "msg/sensor_msgs/laser_scan.hpp"
#include "robot/telemetry_round.hpp"

/// Conversion of a robot's state to ROS 2 messages: SI units, axes of REP-103, frames of REP-105.
namespace caribou::robot {

namespace frame {
inline constexpr std::string_view map = "map";
inline constexpr std::string_view odom = "odom";
inline constexpr std::string_view base = "base_link";
inline constexpr std::string_view laser = "laser";
}  // namespace frame

/// Converts seconds since 1970.
msg::builtin_interfaces::Time ros_time(double unix_seconds);

/// Returns the transform of `child` in `parent`.
msg::geometry_msgs::TransformStamped ros_transform(double stamp, std::string_view parent,
                                                   std::string_view child, const Pose& pose);

msg::sensor_msgs::LaserScan ros_scan(double stamp, const motion::LidarScan& scan, double reach,
                                     Duration period);
msg::nav_msgs::Odometry ros_odometry(double stamp, const motion::Odometry& odometry);
msg::sensor_msgs::BatteryState ros_battery(double stamp, const data::Battery& battery);
msg::nav_msgs::OccupancyGrid ros_map(double stamp, const map::OccupancyGrid& grid);

/// Returns the velocity of a twist, within what a command can request; nullopt if its numbers are not finite.
std::optional<Velocity> velocity_of(const msg::geometry_msgs::Twist& twist);

}  // namespace caribou::robot
