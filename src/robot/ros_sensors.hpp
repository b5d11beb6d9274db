#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loop/strand.hpp"
#include "negotiation/transport.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/ros_frames.hpp"
#include "robot/ros_outlet.hpp"

namespace caribou::robot {

/// The small sensors of a robot as ROS 2 topics: `imu`, `range/NAME` for each range, bumper and cliff sensor,
/// and `diagnostics` once per second. Published with telemetry while they have readers.
class RosSensors {
public:
    struct Options {
        std::string name_space = "/";  ///< of all topics
        std::string robot = "cbot";    ///< its name in diagnostics
        RosFrames::Options frames{};
    };

    /// All arguments must outlive this object.
    RosSensors(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers,
               const motion::BodyPlan& body, Options options);

    Result<void> start();

private:
    struct RangeOutlet {
        std::size_t sensor;
        std::unique_ptr<RosOutlet> outlet;
    };

    Result<std::unique_ptr<RosOutlet>> outlet(const std::string& name, const std::string& type);
    void on_telemetry();

    negotiation::Transport& transport_;
    RobotBuffers& buffers_;
    const motion::BodyPlan& body_;
    Options options_;
    StrandEvent telemetry_buffer_event_;
    std::unique_ptr<RosOutlet> imu_;  ///< null: the robot has none
    std::vector<RangeOutlet> ranges_;
    std::unique_ptr<RosOutlet> diagnostics_;
    Instant diagnosed_at_ = Instant::min();
};

}  // namespace caribou::robot
