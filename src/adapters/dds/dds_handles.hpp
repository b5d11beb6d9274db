#pragma once

// Private to the DDS part of platform: includes CycloneDDS's header.

#include <dds/dds.h>

#include <memory>
#include <string>
#include <string_view>

#include "negotiation/transport.hpp"

namespace caribou {

/// Part of the user data of every participant of Caribou.
inline constexpr std::string_view caribou_mark = "caribou=1;";

/// Frees objects allocated by DDS.
struct DdsDeleter {
    void operator()(dds_qos_t* qos) const { dds_delete_qos(qos); }
    void operator()(dds_listener_t* listener) const { dds_delete_listener(listener); }
    void operator()(dds_builtintopic_endpoint_t* data) const { dds_builtintopic_free_endpoint(data); }
};
using QosHandle = std::unique_ptr<dds_qos_t, DdsDeleter>;
using ListenerHandle = std::unique_ptr<dds_listener_t, DdsDeleter>;
using EndpointData = std::unique_ptr<dds_builtintopic_endpoint_t, DdsDeleter>;

/// Returns the sixteen bytes of a GUID, most significant first.
negotiation::PeerId to_peer_id(const dds_guid_t& guid);
/// The inverse.
dds_guid_t to_dds_guid(const negotiation::PeerId& id);
/// Returns the GUID of an entity of this process.
negotiation::PeerId guid_of(dds_entity_t entity);
/// Returns the name of the participant that a matched writer or reader belongs to, or the start of its GUID.
std::string name_of(dds_entity_t participant, const dds_builtintopic_endpoint_t& endpoint);

/// Returns whether an endpoint belongs to a process of Caribou.
bool is_of_caribou(dds_entity_t participant, const negotiation::PeerId& endpoint);

/// Return the quality of service of a writer or reader, including local limits.
QosHandle writer_qos(const negotiation::TopicQos& qos);
QosHandle reader_qos(const negotiation::TopicQos& qos);

}  // namespace caribou
