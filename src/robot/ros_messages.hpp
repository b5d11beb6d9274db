#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "map/grid.hpp"
#include "motion/motion_settings.hpp"
#include "motion/movement.hpp"
#include "msg/geometry_msgs/transform_stamped.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/nav_msgs/occupancy_grid.hpp"
#include "msg/nav_msgs/odometry.hpp"
#include "msg/sensor_msgs/battery_state.hpp"
#include "msg/sensor_msgs/laser_scan.hpp"
#include "robot/telemetry_round.hpp"

/// A robot in the words of ROS 2: SI units, the axes of REP-103, the frames of REP-105.
namespace caribou::robot {

namespace frame {
inline constexpr std::string_view map = "map";
inline constexpr std::string_view odom = "odom";
inline constexpr std::string_view base = "base_link";
inline constexpr std::string_view laser = "laser";
}  // namespace frame

/// From seconds since 1970.
msg::builtin_interfaces::Time ros_time(double unix_seconds);

/// Where `child` stands, seen from `parent`.
msg::geometry_msgs::TransformStamped ros_transform(double stamp, std::string_view parent,
                                                   std::string_view child, const Pose& pose);

msg::sensor_msgs::LaserScan ros_scan(double stamp, const motion::LidarScan& scan, double reach,
                                     Duration period);
msg::nav_msgs::Odometry ros_odometry(double stamp, const motion::Odometry& odometry);
msg::sensor_msgs::BatteryState ros_battery(double stamp, const link::Telemetry::Battery& battery);
msg::nav_msgs::OccupancyGrid ros_map(double stamp, const map::OccupancyGrid& grid);

/// The movement whose wheels come nearest to what a twist asks for; slower than half of level 1 is HALT.
/// None: its numbers are no numbers.
std::optional<motion::MovementCommand> movement_for(const msg::geometry_msgs::Twist& twist,
                                                    const motion::MotionSettings& settings,
                                                    double wheel_base);

}  // namespace caribou::robot
