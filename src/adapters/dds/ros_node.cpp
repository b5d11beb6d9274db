#include "adapters/dds/ros_node.hpp"

#include <fmt/format.h>

#include "adapters/dds/dds_names.hpp"
#include "negotiation/ros_discovery.hpp"

namespace caribou {
namespace {

constexpr negotiation::TopicQos discovery_qos{.durability = negotiation::Durability::transient_local,
                                              .depth = 1};

}  // namespace

Result<std::unique_ptr<RosNode>> RosNode::open(DdsParticipant& participant, DdsTransport& transport,
                                               EventLoop& loop, Options options) {
    // A node's full name has the form of a topic's.
    const std::string whole = (options.name_space == "/" ? "" : options.name_space) + "/" + options.name;
    if (!to_dds_topic(whole) || options.name.contains('/'))
        return fail(
            Code::invalid_argument,
            fmt::format(
                "`{}` is not a name of ROS 2; expected letters, digits and _, as in `/fleet` and `boat_1`",
                whole));
    std::unique_ptr<RosNode> node(new RosNode(participant, transport, loop, std::move(options)));
    auto writer = transport.advertise_plain(ros_discovery_topic, ros_discovery_type, discovery_qos, *node);
    if (!writer) return fail(std::move(writer.error()));
    node->writer_ = std::move(*writer);
    transport.on_endpoints_changed([it = node.get()] { it->tell_soon(); });
    transport.on_ros_peers_changed([it = node.get()] {
        if (it->layout() != it->told_layout_) it->tell_soon();
    });
    node->tell();
    return node;
}

RosNode::RosNode(DdsParticipant& participant, DdsTransport& transport, EventLoop& loop, Options options)
    : participant_(participant),
      transport_(transport),
      loop_(loop),
      options_(std::move(options)),
      soon_(loop.make_timer([this] { tell(); })) {}

RosNode::~RosNode() {
    transport_.on_endpoints_changed({});
    transport_.on_ros_peers_changed({});
}

void RosNode::tell_soon() { soon_->arm(loop_.clock().now()); }

negotiation::RosLayout RosNode::layout() const {
    switch (options_.layout) {
        case negotiation::RosLayoutChoice::automatic: return transport_.ros_peers().layout();
        case negotiation::RosLayoutChoice::humble: return negotiation::RosLayout::humble;
        case negotiation::RosLayoutChoice::jazzy: return negotiation::RosLayout::jazzy;
    }
    return negotiation::RosLayout::humble;
}

void RosNode::tell() {
    told_layout_ = layout();
    const auto& own = transport_.endpoints();
    const negotiation::RosDiscovery discovery{
        .layout = told_layout_,
        .participant = participant_.id(),
        .nodes = {{.name_space = options_.name_space,
                   .name = options_.name,
                   .readers = {own.readers.begin(), own.readers.end()},
                   .writers = {own.writers.begin(), own.writers.end()}}}};
    auto bytes = std::make_shared<const Bytes>(negotiation::encode_ros_discovery(discovery));
    // If the write fails, there is no reader; the next change publishes everything again.
    static_cast<void>(writer_->write(negotiation::Sample(std::move(bytes), loop_.clock().wall())));
}

}  // namespace caribou
