#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "loop/stall_timer.hpp"
#include "loop/strand.hpp"
#include "loop/weak_self.hpp"
#include "negotiation/transport.hpp"
#include "robot/goal_drive.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/ros_sender.hpp"

namespace caribou::robot {

/// Commands to the robot as ROS 2 topics, for nodes of any vendor: `stop` always; with `drive` also
/// `release_stop`, `run_mode`, `dock`, `goal_pose` and `initialpose`. Each has a topic `NAME/status` with the
/// course of the latest one: `running`, `done`, `refused: REASON` or `failed: REASON`.
class RosControls {
public:
    struct Options {
        std::string name_space = "/";  ///< of all topics
        std::string map_frame = "map";
        bool drive = false;
    };
    struct Hooks {
        std::function<void(Request)> submit;
        /// The callbacks may be called on any thread.
        std::function<void(const GoalPose& goal, GoalTold told)> go_to;
        std::function<void(const Pose& pose, std::function<void(Result<void>)> told)> set_pose;
    };

    /// All arguments must outlive this object.
    RosControls(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers, RosSender& sender,
                Hooks hooks, Options options);
    ~RosControls();

    Result<void> start();

private:
    class Control;
    using Take = void (RosControls::*)(Control&, const negotiation::Sample&);

    Result<void> open(std::string_view name, std::string_view type, Take take,
                      negotiation::TopicQos qos = {});
    void take_stop(Control& control, const negotiation::Sample& sample);
    void take_release(Control& control, const negotiation::Sample& sample);
    void take_run_mode(Control& control, const negotiation::Sample& sample);
    void take_dock(Control& control, const negotiation::Sample& sample);
    void take_goal(Control& control, const negotiation::Sample& sample);
    void take_pose(Control& control, const negotiation::Sample& sample);
    void submit(Control& control, link::Command command, link::Role role);
    /// Returns a callback for any thread that calls `show` with the result on the strand, unless a newer
    /// message has arrived at the control meanwhile.
    template <class News>
    std::function<void(const News&)> told(Control& control, void (Control::*show)(const News&));

    Strand& strand_;
    negotiation::Transport& transport_;
    RobotBuffers& buffers_;
    RosSender& sender_;
    Hooks hooks_;
    Options options_;
    std::uint64_t session_ = 0;
    StallTimer stalls_;
    std::vector<std::unique_ptr<Control>> controls_;
    WeakSelf<RosControls> self_{*this};
};

}  // namespace caribou::robot
