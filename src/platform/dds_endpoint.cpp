#include "platform/dds_endpoint.hpp"

#include "platform/dds_handles.hpp"

namespace caribou {

void DdsEndpoint::ring() {
    if (rung_.exchange(true)) return;
    loop_.post_from_any_thread([weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->closed_) return;
        self->rung_ = false;
        self->look();
    });
}

void DdsEndpoint::open(dds_entity_t topic, dds_entity_t entity) {
    topic_ = topic;
    entity_ = entity;
}

void DdsEndpoint::close() {
    closed_ = true;
    dds_delete(entity_);  // waits for a listener that is running
    dds_delete(topic_);
}

negotiation::Peer DdsEndpoint::peer_of(const dds_builtintopic_endpoint_t& data) const {
    return {to_peer_id(data.key), name_of(participant_, data)};
}

}  // namespace caribou
