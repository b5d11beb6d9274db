#pragma once

#include <memory>

#include "adapters/dds/mismatch_watch.hpp"
#include "adapters/dds/ros_node.hpp"
#include "kit/robot/robot_thread.hpp"
#include "platform/log_tap.hpp"
#include "robot/robot_config.hpp"
#include "robot/robot_ros.hpp"
#include "robot/ros_controls.hpp"
#include "robot/ros_log.hpp"
#include "robot/ros_sender.hpp"
#include "robot/ros_sensors.hpp"

namespace caribou::app {

/// Returns the frames of a robot on ROS 2.
robot::RosFrames::Options ros_frames(const robot::RobotConfig& config);

/// A robot as a ROS 2 node, on its own thread.
class RobotNode {
public:
    /// All arguments must outlive this object. Nothing runs before start().
    static Result<std::unique_ptr<RobotNode>> open(const robot::RobotConfig& config,
                                                   robot::RobotBuffers& buffers, const motion::BodyPlan& body,
                                                   robot::RobotRos::Hooks hooks,
                                                   robot::RosControls::Hooks controls, LogTap& log);
    ~RobotNode() {
        log_.listen({});
        stop();
    }
    Result<void> start() { return thread_.thread.start(); }
    void stop() { thread_.thread.stop(); }

private:
    explicit RobotNode(LogTap& log) : log_(log), thread_("ros", log) {}

    LogTap& log_;
    RobotThread thread_;
    std::unique_ptr<DdsParticipant> participant_;
    std::unique_ptr<DdsTransport> transport_;
    std::unique_ptr<RosNode> node_;
    robot::RosSender sender_;
    std::unique_ptr<robot::RobotRos> topics_;
    std::unique_ptr<robot::RosSensors> sensors_;
    std::unique_ptr<robot::RosControls> controls_;
    std::unique_ptr<robot::RosLog> rosout_;
    std::unique_ptr<MismatchWatch> mismatches_;
};

}  // namespace caribou::app
