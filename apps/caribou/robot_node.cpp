#include "caribou/robot_node.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::app {
Result<std::unique_ptr<RobotNode>> RobotNode::open(const robot::RobotConfig& config,
                                                   robot::RobotBuffers& buffers, const motion::BodyPlan& body,
                                                   Hooks hooks, Log& log) {
    negotiation::DdsSettings dds = config.ros_dds;
    dds.name = config.ros_node;
    std::unique_ptr<RobotNode> made(new RobotNode(log));
    auto participant = DdsParticipant::open(dds);
    if (!participant) return fail(std::move(participant.error()));
    made->participant_ = std::move(*participant);
    EventLoop& loop = made->thread_.thread.loop();
    made->transport_ = std::make_unique<DdsTransport>(*made->participant_, loop);
    const bool is_humble = config.ros_layout == "humble";
    auto node =
        RosNode::open(*made->participant_, *made->transport_, loop,
                      {.name = config.ros_node,
                       .name_space = config.ros_namespace,
                       .layout = is_humble ? negotiation::RosLayout::humble : negotiation::RosLayout::jazzy});
    if (!node) return fail(std::move(node.error()));
    made->node_ = std::move(*node);
    made->topics_ = std::make_unique<robot::RobotRos>(
        made->thread_.strand, *made->transport_, buffers, body, log, std::move(hooks.submit),
        std::move(hooks.ask_map),
        robot::RobotRos::Options{
            .name_space = config.ros_namespace, .cmd_vel = config.ros_cmd_vel, .motion = config.motion});
    if (auto started = made->topics_->start(); !started) return fail(std::move(started.error()));
    log.info(fmt::format("node {} in ROS domain {}, {}", config.ros_node,
                         made->participant_->settings().domain, reach_text(dds)));
    return made;
}

}  // namespace caribou::app
