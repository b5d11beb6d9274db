#include "negotiation/ros_discovery.hpp"

#include <algorithm>

#include "msg/rmw_dds_common/participant_entities_info.hpp"
#include "msg/rmw_dds_common_humble/participant_entities_info.hpp"

namespace caribou::negotiation {
namespace {

using HumbleInfo = msg::rmw_dds_common_humble::ParticipantEntitiesInfo;
using JazzyInfo = msg::rmw_dds_common::ParticipantEntitiesInfo;

constexpr std::size_t id_size = 16;     ///< bytes of an id of DDS; the rest of a longer one is zero
constexpr std::size_t max_padding = 3;  ///< after the last field

template <class Gid>
Gid to_gid(const PeerId& id) {
    Gid gid;
    for (std::size_t i = 0; i < 8; ++i) {
        gid.data[i] = static_cast<std::uint8_t>(id.high >> (56 - 8 * i));
        gid.data[i + 8] = static_cast<std::uint8_t>(id.low >> (56 - 8 * i));
    }
    return gid;
}

template <class Gid>
PeerId to_id(const Gid& gid) {
    PeerId id;
    for (std::size_t i = 0; i < 8; ++i) {
        id.high = id.high << 8 | gid.data[i];
        id.low = id.low << 8 | gid.data[i + 8];
    }
    return id;
}

template <class Gid>
bool is_sound(const Gid& gid) {
    return std::all_of(gid.data.begin() + id_size, gid.data.end(), [](auto byte) { return byte == 0; });
}

template <class Info>
Bytes encode_as(const RosDiscovery& discovery) {
    using Gid = decltype(Info::gid);
    Info info{.gid = to_gid<Gid>(discovery.participant), .node_entities_info_seq = {}};
    for (const RosNodeInfo& node : discovery.nodes) {
        auto& told = info.node_entities_info_seq.emplace_back();
        told.node_namespace = node.name_space;
        told.node_name = node.name;
        for (const PeerId& id : node.readers) told.reader_gid_seq.push_back(to_gid<Gid>(id));
        for (const PeerId& id : node.writers) told.writer_gid_seq.push_back(to_gid<Gid>(id));
    }
    return wire::encode_cdr(info);
}

/// Returns nullopt if the bytes are not a message of this layout.
template <class Info>
std::optional<RosDiscovery> decode_as(ByteView payload, RosLayout layout) {
    wire::CdrReader reader(payload);
    const auto info = wire::MessageCodec<Info>::read(reader);
    if (!info || reader.remaining() > max_padding || !is_sound(info->gid)) return {};
    RosDiscovery discovery{.layout = layout, .participant = to_id(info->gid)};
    for (const auto& told : info->node_entities_info_seq) {
        RosNodeInfo node{.name_space = told.node_namespace, .name = told.node_name};
        if (!node.name_space.starts_with('/')) return {};
        for (const auto& gid : told.reader_gid_seq) node.readers.push_back(to_id(gid));
        for (const auto& gid : told.writer_gid_seq) node.writers.push_back(to_id(gid));
        if (!std::ranges::all_of(told.reader_gid_seq, [](const auto& gid) { return is_sound(gid); }) ||
            !std::ranges::all_of(told.writer_gid_seq, [](const auto& gid) { return is_sound(gid); }))
            return {};
        discovery.nodes.push_back(std::move(node));
    }
    return discovery;
}

}  // namespace

std::string_view to_string(RosLayout layout) { return layout == RosLayout::jazzy ? "jazzy" : "humble"; }

Bytes encode_ros_discovery(const RosDiscovery& discovery) {
    return discovery.layout == RosLayout::jazzy ? encode_as<JazzyInfo>(discovery)
                                                : encode_as<HumbleInfo>(discovery);
}

Result<RosDiscovery> decode_ros_discovery(ByteView payload) {
    if (auto humble = decode_as<HumbleInfo>(payload, RosLayout::humble)) return std::move(*humble);
    if (auto jazzy = decode_as<JazzyInfo>(payload, RosLayout::jazzy)) return std::move(*jazzy);
    return fail(Code::malformed, "ros_discovery_info: expected ids of 24 or 16 bytes");
}

}  // namespace caribou::negotiation
