#include "kit/robot/robot_node.hpp"

#include <utility>

#include <fmt/format.h>

#include "views/view.hpp"

namespace caribou::app {
namespace {

negotiation::RosLayoutChoice layout_of(const std::string& word) {
    if (word == "humble") return negotiation::RosLayoutChoice::humble;
    if (word == "jazzy") return negotiation::RosLayoutChoice::jazzy;
    return negotiation::RosLayoutChoice::automatic;
}

/// Returns the namespace of the topics. It differs from the node's if the views are negotiated over DDS under
/// the same names: ROS 2 tools refuse a topic with two types.
std::string topics_namespace(const robot::RobotConfig& config, Log& log) {
    const std::string name_space = config.ros_namespace == "/" ? "" : config.ros_namespace;
    const bool is_shared =
        config.topics.transport == "dds" && config.topics.dds.domain == config.ros_dds.domain;
    if (!is_shared || name_space + "/scan" != views::topic_of(config.name, views::View::scan))
        return config.ros_namespace;
    log.warning(
        fmt::format("the topics {0}/scan and {0}/map are those of the negotiated views, so the topics of "
                    "ROS 2 are in {0}/ros; set another ros.namespace to choose their names",
                    name_space));
    return name_space + "/ros";
}

}  // namespace

robot::RosFrames::Options ros_frames(const robot::RobotConfig& config) {
    return {.map = config.ros_map_frame,
            .odom = config.ros_odom_frame,
            .base = config.ros_base_frame,
            .laser = config.ros_laser_frame,
            .map_to_odom = config.ros_map_to_odom,
            .odom_to_base = config.ros_odom_to_base};
}

Result<std::unique_ptr<RobotNode>> RobotNode::open(const robot::RobotConfig& config,
                                                   robot::RobotBuffers& buffers, const motion::BodyPlan& body,
                                                   robot::RobotRos::Hooks hooks,
                                                   robot::RosControls::Hooks controls, LogTap& log) {
    negotiation::DdsSettings dds = config.ros_dds;
    dds.name = config.ros_node;
    std::unique_ptr<RobotNode> made(new RobotNode(log));
    auto participant = DdsParticipant::open(dds);
    if (!participant) return fail(std::move(participant.error()));
    made->participant_ = std::move(*participant);
    EventLoop& loop = made->thread_.thread.loop();
    made->transport_ = std::make_unique<DdsTransport>(*made->participant_, loop,
                                                      [&log](const std::string& text) { log.warning(text); });
    auto node = RosNode::open(*made->participant_, *made->transport_, loop,
                              {.name = config.ros_node,
                               .name_space = config.ros_namespace,
                               .layout = layout_of(config.ros_layout)});
    if (!node) return fail(std::move(node.error()));
    made->node_ = std::move(*node);
    const std::string name_space = topics_namespace(config, log);
    made->topics_ = std::make_unique<robot::RobotRos>(
        made->thread_.strand, *made->transport_, buffers, body, made->sender_, log, std::move(hooks),
        robot::RobotRos::Options{.name_space = name_space,
                                 .frames = ros_frames(config),
                                 .map = config.ros_map,
                                 .clock = config.ros_clock,
                                 .cmd_vel = config.ros_cmd_vel,
                                 .stamped_cmd_vel = config.ros_cmd_vel_type == "TwistStamped",
                                 .odometry_period = from_seconds(1 / config.ros_odom_rate),
                                 .wheel_radius = config.ros_wheel_radius,
                                 .nearest = config.ros_range_min});
    if (auto started = made->topics_->start(); !started) return fail(std::move(started.error()));
    made->sensors_ = std::make_unique<robot::RosSensors>(
        made->thread_.strand, *made->transport_, buffers, body,
        robot::RosSensors::Options{
            .name_space = name_space, .robot = config.name, .frames = ros_frames(config)});
    if (auto started = made->sensors_->start(); !started) return fail(std::move(started.error()));
    made->controls_ = std::make_unique<robot::RosControls>(
        made->thread_.strand, *made->transport_, buffers, made->sender_, std::move(controls),
        robot::RosControls::Options{
            .name_space = name_space, .map_frame = config.ros_map_frame, .drive = config.ros_drive});
    if (auto started = made->controls_->start(); !started) return fail(std::move(started.error()));
    made->mismatches_ = std::make_unique<MismatchWatch>(
        loop, *made->participant_, *made->transport_, [&buffers](const std::vector<std::string>& present) {
            buffers.topic_mismatches.change([&](auto& all) { all["ros"] = present; });
        });
    made->rosout_ = std::make_unique<robot::RosLog>(made->thread_.strand, *made->transport_, config.ros_node);
    if (auto started = made->rosout_->start(); !started) return fail(std::move(started.error()));
    log.listen(made->rosout_->writer());
    log.info(fmt::format("node {} in ROS domain {}, {}", config.ros_node,
                         made->participant_->settings().domain, reach_text(dds)));
    return made;
}

}  // namespace caribou::app
