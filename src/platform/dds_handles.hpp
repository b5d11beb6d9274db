#pragma once

// Private to platform's DDS: shows CycloneDDS's header.

#include <dds/dds.h>

#include <memory>

#include "negotiation/transport.hpp"

namespace caribou {

/// Gives back what DDS has handed out.
struct DdsDeleter {
    void operator()(dds_qos_t* qos) const { dds_delete_qos(qos); }
    void operator()(dds_listener_t* listener) const { dds_delete_listener(listener); }
    void operator()(dds_builtintopic_endpoint_t* data) const { dds_builtintopic_free_endpoint(data); }
};
using QosHandle = std::unique_ptr<dds_qos_t, DdsDeleter>;
using ListenerHandle = std::unique_ptr<dds_listener_t, DdsDeleter>;
using EndpointData = std::unique_ptr<dds_builtintopic_endpoint_t, DdsDeleter>;

/// The sixteen bytes of a GUID, the first of them the highest.
negotiation::PeerId to_peer_id(const dds_guid_t& guid);
/// Of an entity of this process.
negotiation::PeerId guid_of(dds_entity_t entity);
/// What the participant calls itself that a matched writer or reader belongs to, or how its GUID begins.
std::string name_of(dds_entity_t participant, const dds_builtintopic_endpoint_t& endpoint);

/// The quality of service that a writer or reader has on the wire, and what it keeps inside.
QosHandle writer_qos(const negotiation::TopicQos& qos);
QosHandle reader_qos(const negotiation::TopicQos& qos);

}  // namespace caribou
