#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/log.hpp"
#include "base/velocity.hpp"
#include "map/grid.hpp"
#include "msg/diagnostic_msgs/diagnostic_array.hpp"
#include "msg/geometry_msgs/transform_stamped.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/nav_msgs/occupancy_grid.hpp"
#include "msg/nav_msgs/odometry.hpp"
#include "msg/rcl_interfaces/log.hpp"
#include "msg/sensor_msgs/battery_state.hpp"
#include "msg/sensor_msgs/imu.hpp"
#include "msg/sensor_msgs/joint_state.hpp"
#include "msg/sensor_msgs/laser_scan.hpp"
#include "msg/sensor_msgs/range.hpp"
#include "robot/ros_frames.hpp"
#include "robot/telemetry_round.hpp"

/// Conversion of a robot's state to ROS 2 messages: SI units, axes of REP-103, frames of REP-105.
namespace caribou::robot {

/// Converts seconds since 1970.
msg::builtin_interfaces::Time ros_time(double unix_seconds);

/// Returns the transform of `child` in `parent`.
msg::geometry_msgs::TransformStamped ros_transform(double stamp, std::string_view parent,
                                                   std::string_view child, const Pose& pose);

/// The distances in m that a lidar measures.
struct LidarLimits {
    double nearest = 0;
    double reach = 0;
};

// `frames` are the names to use.
msg::sensor_msgs::LaserScan ros_scan(double stamp, const RosFrames::Options& frames,
                                     const motion::LidarScan& scan, const LidarLimits& limits,
                                     Duration period);
msg::nav_msgs::Odometry ros_odometry(double stamp, const RosFrames::Options& frames,
                                     const motion::Odometry& odometry);
/// Returns the state of `left_wheel_joint` and `right_wheel_joint`. `measured` are the speeds of the wheels.
msg::sensor_msgs::JointState ros_joints(double stamp, const motion::WheelWay& rolled,
                                        const std::optional<motion::WheelSpeeds>& measured,
                                        double wheel_radius);
msg::sensor_msgs::BatteryState ros_battery(double stamp, const RosFrames::Options& frames,
                                           const data::Battery& battery);
msg::sensor_msgs::Imu ros_imu(double stamp, const RosFrames::Options& frames,
                              const motion::ImuReading& reading);
/// Returns whether a sensor is published as sensor_msgs/Range.
bool is_ros_range(motion::SensorKind kind);
/// Returns the reading of a range sensor, or of a bumper or cliff sensor as one that only distinguishes
/// whether there is something: -infinity for a pressed bumper or a missing floor, else infinity. nullopt
/// without a reading.
std::optional<msg::sensor_msgs::Range> ros_range(double stamp, const RosFrames::Options& frames,
                                                 const motion::SensorPlan& sensor,
                                                 const motion::SensorReading& reading);
/// Returns the state of the robot: an error if it has faults, a warning if it is stopped or its battery is
/// low.
msg::diagnostic_msgs::DiagnosticArray ros_diagnostics(double stamp, const std::string& robot,
                                                      const TelemetryRound& round);
msg::nav_msgs::OccupancyGrid ros_map(double stamp, const RosFrames::Options& frames,
                                     const map::OccupancyGrid& grid);

/// Returns a line of the log of a node.
msg::rcl_interfaces::Log ros_log(double stamp, const std::string& node, Level level, std::string_view text);

/// Returns the velocity of a twist, within what a command can request; nullopt if its numbers are not finite.
std::optional<Velocity> velocity_of(const msg::geometry_msgs::Twist& twist);

}  // namespace caribou::robot
