#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/pose.hpp"
#include "msg/tf2_msgs/tf_message.hpp"

namespace caribou::robot {

/// The frames of a robot on ROS 2, and the transforms between them that other nodes publish in its place:
/// `map` to `odom` by SLAM Toolbox or AMCL, `odom` to `base` by robot_localization.
class RosFrames {
public:
    struct Options {
        std::string map = "map";
        std::string odom = "odom";
        std::string base = "base_link";
        std::string laser = "laser";
        bool map_to_odom = true;   ///< published by the robot; false: by another node
        bool odom_to_base = true;  ///< the same

        /// Returns the frame of a sensor: its name, with the prefix of the robot's frame, such as `rover/`.
        std::string of_sensor(std::string_view name) const;
    };

    explicit RosFrames(Options options);

    const Options& names() const { return options_; }
    /// Returns whether another node publishes one of the transforms.
    bool needs_others() const { return !options_.map_to_odom || !options_.odom_to_base; }

    /// Notes the robot's own odometry at a time, in seconds since 1970.
    void note_odometry(double stamp, const Pose& odometry);

    enum class Taken : std::uint8_t {
        none,     ///< no transform between these frames, or one that the robot publishes itself
        changed,  ///< odom_in_map() or map_to_odom() may have changed
        invalid,  ///< a number is not finite
    };
    /// Takes the transforms of another node.
    Taken take(const msg::tf2_msgs::TFMessage& message);

    /// Returns the origin of the robot's own odometry in the map of another node; nullopt while that node has
    /// published nothing, or if the robot locates itself.
    std::optional<Pose> odom_in_map() const;
    /// Returns the transform that the robot publishes, if its own odometry is at `odom_in_map`; nullopt if
    /// another node publishes it, or its frame `odom` is not known yet.
    std::optional<Pose> map_to_odom(const Pose& odom_in_map) const;

    /// Returns the transforms that other nodes should publish and have not published yet: `map -> odom`.
    std::string missing() const;

private:
    struct Noted {
        double stamp = 0;
        Pose odometry{};
    };
    /// Returns the own odometry whose time is nearest.
    std::optional<Pose> odometry_at(double stamp) const;

    Options options_;
    std::deque<Noted> noted_;
    std::optional<Pose> others_map_to_odom_;
    /// The frame `odom` of another node, in the robot's own odometry.
    std::optional<Pose> others_odom_;
};

}  // namespace caribou::robot
