#pragma once

#include <memory>
#include <string>

#include "adapters/dds/dds_transport.hpp"
#include "base/result.hpp"
#include "negotiation/ros_discovery.hpp"

namespace caribou {

/// Makes this process a node that `ros2 node list` shows, with its topics: publishes its writers and readers
/// on `ros_discovery_info`, and again whenever they change.
class RosNode final : private negotiation::WriterEvents {
public:
    struct Options {
        std::string name;  ///< letters, digits and _, such as `caribou_bridge`
        std::string name_space = "/";
        negotiation::RosLayoutChoice layout = negotiation::RosLayoutChoice::automatic;
    };

    /// All arguments must outlive the node. Fails for names that are not valid in ROS 2.
    static Result<std::unique_ptr<RosNode>> open(DdsParticipant& participant, DdsTransport& transport,
                                                 EventLoop& loop, Options options);
    RosNode(const RosNode&) = delete;
    RosNode& operator=(const RosNode&) = delete;
    ~RosNode();

private:
    RosNode(DdsParticipant& participant, DdsTransport& transport, EventLoop& loop, Options options);
    /// Publishes at the end of the turn, so that several changes are combined.
    void tell_soon();
    void tell();
    negotiation::RosLayout layout() const;

    DdsParticipant& participant_;
    DdsTransport& transport_;
    EventLoop& loop_;
    Options options_;
    std::unique_ptr<negotiation::Writer> writer_;
    std::unique_ptr<Timer> soon_;
    negotiation::RosLayout told_layout_ = negotiation::RosLayout::humble;
};

}  // namespace caribou
