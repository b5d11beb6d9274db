#include "platform/ros_node.hpp"

#include <fmt/format.h>

#include "msg/rmw_dds_common/participant_entities_info.hpp"
#include "msg/rmw_dds_common_humble/participant_entities_info.hpp"
#include "platform/dds_names.hpp"

namespace caribou {
namespace {

constexpr negotiation::TopicQos discovery_qos{.durability = negotiation::Durability::transient_local,
                                              .depth = 1};

template <class Gid>
Gid to_gid(const negotiation::PeerId& id) {
    Gid gid;
    for (std::size_t i = 0; i < 8; ++i) {
        gid.data[i] = static_cast<std::uint8_t>(id.high >> (56 - 8 * i));
        gid.data[i + 8] = static_cast<std::uint8_t>(id.low >> (56 - 8 * i));
    }
    return gid;
}

}  // namespace

Result<std::unique_ptr<RosNode>> RosNode::open(DdsParticipant& participant, DdsTransport& transport,
                                               EventLoop& loop, Options options) {
    // A node's full name has the form of a topic's.
    const std::string whole = (options.name_space == "/" ? "" : options.name_space) + "/" + options.name;
    if (!to_dds_topic(whole) || options.name.contains('/'))
        return fail(
            Code::invalid_argument,
            fmt::format("`{}` is no node of ROS 2: write letters, digits and _, as in `/fleet` and `boat_1`",
                        whole));
    std::unique_ptr<RosNode> node(new RosNode(participant, transport, loop, std::move(options)));
    auto writer = transport.advertise_plain(
        "ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", discovery_qos, *node);
    if (!writer) return fail(std::move(writer.error()));
    node->writer_ = std::move(*writer);
    transport.on_endpoints_changed([it = node.get()] { it->tell_soon(); });
    node->tell();
    return node;
}

RosNode::RosNode(DdsParticipant& participant, DdsTransport& transport, EventLoop& loop, Options options)
    : participant_(participant),
      transport_(transport),
      loop_(loop),
      options_(std::move(options)),
      soon_(loop.make_timer([this] { tell(); })) {}

RosNode::~RosNode() { transport_.on_endpoints_changed({}); }

void RosNode::tell_soon() { soon_->arm(loop_.clock().now()); }

template <class Info>
Bytes RosNode::told() const {
    using Gid = decltype(Info::gid);
    Info info{.gid = to_gid<Gid>(participant_.id()), .node_entities_info_seq = {}};
    auto& node = info.node_entities_info_seq.emplace_back();
    node.node_namespace = options_.name_space;
    node.node_name = options_.name;
    for (const auto& id : transport_.endpoints().readers) node.reader_gid_seq.push_back(to_gid<Gid>(id));
    for (const auto& id : transport_.endpoints().writers) node.writer_gid_seq.push_back(to_gid<Gid>(id));
    return wire::encode_cdr(info);
}

void RosNode::tell() {
    const bool is_jazzy = options_.layout == negotiation::RosLayout::jazzy;
    auto bytes =
        std::make_shared<const Bytes>(is_jazzy ? told<msg::rmw_dds_common::ParticipantEntitiesInfo>()
                                               : told<msg::rmw_dds_common_humble::ParticipantEntitiesInfo>());
    // If the write fails, there is no reader; the next change publishes everything again.
    static_cast<void>(writer_->write(negotiation::Sample(std::move(bytes), loop_.clock().wall())));
}

}  // namespace caribou
