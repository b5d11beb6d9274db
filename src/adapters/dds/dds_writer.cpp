#include "adapters/dds/dds_writer.hpp"

#include <algorithm>

#include "adapters/dds/dds_contact.h"
#include "adapters/dds/dds_handles.hpp"
#include "adapters/dds/dds_participant.hpp"
#include "adapters/dds/dds_sertype.hpp"

namespace caribou {
namespace {

void on_matched(dds_entity_t, dds_publication_matched_status_t, void* core) {
    static_cast<DdsWriterCore*>(core)->ring();
}

void on_mismatch(dds_entity_t, dds_offered_incompatible_qos_status_t, void* core) {
    static_cast<DdsWriterCore*>(core)->ring_for_mismatch();
}

}  // namespace

Result<void> DdsWriterCore::start(dds_entity_t participant, dds_entity_t topic, const ddsi_sertype& type,
                                  const negotiation::TopicQos& qos) {
    const ListenerHandle listener(dds_create_listener(this));
    dds_lset_publication_matched(listener.get(), on_matched);
    dds_lset_offered_incompatible_qos(listener.get(), on_mismatch);
    const dds_entity_t writer = dds_create_writer(participant, topic, writer_qos(qos).get(), listener.get());
    if (writer < 0) return fail(dds_error("cannot write the topic", writer));
    open(topic, writer, type, qos);
    return {};
}

bool DdsWriterCore::is_in_contact(const negotiation::PeerId& reader) const {
    const dds_guid_t own = to_dds_guid(id());
    const dds_guid_t guid = to_dds_guid(reader);
    return caribou_has_answered(&type(), &own, &guid);
}

Result<void> DdsWriterCore::write(const negotiation::Sample& sample) {
    // DDS takes the reference, even on failure.
    const dds_return_t written =
        dds_forwardcdr(entity(), make_opaque_sample(type(), sample.shared_bytes(), sample.stamp()));
    if (written < 0) return fail(dds_error("a reader does not keep up", written));
    return {};
}

void DdsWriterCore::look() {
    const Handles readers = matched(dds_get_matched_subscriptions);
    const auto is_missing = [&](const auto& each) { return !contains(readers, each.first); };
    std::erase_if(newcomers_, is_missing);
    while (!is_closed()) {
        const auto missing = std::ranges::find_if(peers_, is_missing);
        if (missing == peers_.end()) break;
        const negotiation::Peer peer = missing->second;
        peers_.erase(missing);
        events_.on_reader_gone(peer);
    }
    if (is_closed()) return;
    for (const dds_instance_handle_t reader : readers) {
        if (knows(reader)) continue;
        const EndpointData data(dds_get_matched_subscription_data(entity(), reader));
        if (data) welcome(reader, *data);  // otherwise it has already left and was never reported
    }
    announce();
    if (!is_closed()) report_mismatches(DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
}

}  // namespace caribou
