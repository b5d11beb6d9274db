#include "caribou/robot_node.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::app {
namespace {

Result<DdsSettings> settings_of(const robot::RobotConfig& config) {
    DdsSettings settings{.reach = config.ros_insecure_lan ? DdsReach::lan : DdsReach::loopback,
                         .interface = config.ros_interface,
                         .peers = config.ros_peers,
                         .name = config.ros_node};
    const auto domain = config.ros_domain >= 0
                            ? Result<std::uint32_t>(static_cast<std::uint32_t>(config.ros_domain))
                            : domain_from_environment();
    if (!domain) return fail(domain.error());
    settings.domain = *domain;
    if (auto good = check_settings(settings); !good) return fail(std::move(good.error()));
    return settings;
}

}  // namespace

Result<std::unique_ptr<RobotNode>> RobotNode::open(const robot::RobotConfig& config,
                                                   robot::RobotBuffers& buffers, const robot::BodyPlan& body,
                                                   Hooks hooks, Log& log) {
    const auto settings = settings_of(config);
    if (!settings) return fail(settings.error());
    std::unique_ptr<RobotNode> made(new RobotNode(log));
    auto participant = DdsParticipant::open(*settings);
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
    log.info(fmt::format(
        "node {} in ROS domain {}, {}", config.ros_node, settings->domain,
        config.ros_insecure_lan ? "open to the network, without any protection" : "on this machine only"));
    return made;
}

}  // namespace caribou::app
