#include "adapters/dds/dds_reader.hpp"

#include <algorithm>
#include <array>

#include "adapters/dds/dds_contact.h"
#include "adapters/dds/dds_handles.hpp"
#include "adapters/dds/dds_participant.hpp"
#include "adapters/dds/dds_sertype.hpp"

namespace caribou {
namespace {

constexpr std::uint32_t samples_a_turn = 256;
constexpr std::size_t gone_remembered = 256;

void on_data(dds_entity_t, void* core) { static_cast<DdsReaderCore*>(core)->ring(); }
void on_matched(dds_entity_t, dds_subscription_matched_status_t, void* core) {
    static_cast<DdsReaderCore*>(core)->ring();
}

void on_mismatch(dds_entity_t, dds_requested_incompatible_qos_status_t, void* core) {
    static_cast<DdsReaderCore*>(core)->ring_for_mismatch();
}

}  // namespace

Result<void> DdsReaderCore::start(dds_entity_t participant, dds_entity_t topic, const ddsi_sertype& type,
                                  const negotiation::TopicQos& qos) {
    const ListenerHandle listener(dds_create_listener(this));
    dds_lset_data_available(listener.get(), on_data);
    dds_lset_subscription_matched(listener.get(), on_matched);
    dds_lset_requested_incompatible_qos(listener.get(), on_mismatch);
    const dds_entity_t reader = dds_create_reader(participant, topic, reader_qos(qos).get(), listener.get());
    if (reader < 0) return fail(dds_error("cannot read the topic", reader));
    open(topic, reader, type, qos);
    return {};
}

bool DdsReaderCore::is_in_contact(const negotiation::PeerId& writer) const {
    const dds_guid_t guid = to_dds_guid(writer);
    return caribou_has_heartbeat(&type(), &guid);
}

DdsReaderCore::Batch DdsReaderCore::take() {
    std::array<ddsi_serdata*, samples_a_turn> samples{};
    std::array<dds_sample_info_t, samples_a_turn> infos{};
    const dds_return_t count =
        dds_takecdr(entity(), samples.data(), samples_a_turn, infos.data(), DDS_ANY_STATE);
    const auto taken = static_cast<std::size_t>(std::max<dds_return_t>(count, 0));
    Batch batch{.arrivals = {}, .is_full = taken == samples_a_turn};
    batch.arrivals.reserve(taken);
    for (std::size_t i = 0; i < taken; ++i) {
        const auto& payload = payload_of(*samples[i]);
        if (payload && infos[i].valid_data)
            batch.arrivals.push_back(
                {infos[i].publication_handle, {payload, WallTime(Duration(infos[i].source_timestamp))}});
        ddsi_serdata_unref(samples[i]);
    }
    return batch;
}

void DdsReaderCore::know(dds_instance_handle_t writer) {
    if (knows(writer)) return;
    const EndpointData data(dds_get_matched_publication_data(entity(), writer));
    if (data) return welcome(writer, *data);
    // A writer that joined, wrote and left between two checks is known by its handle only.
    if (!contains(gone_, writer))
        newcomers_.emplace(writer,
                           Newcomer{.peer = {{0, writer}, "gone"}, .needs_contact = false, .limit = {}});
}

void DdsReaderCore::forget(dds_instance_handle_t writer) {
    gone_.push_back(writer);
    if (gone_.size() > gone_remembered) gone_.pop_front();
    newcomers_.erase(writer);
    if (const auto node = peers_.extract(writer)) events_.on_writer_gone(node.mapped());
}

void DdsReaderCore::deliver(const Arrival& arrival) {
    know(arrival.writer);
    const negotiation::Peer* writer = introduce(arrival.writer);
    if (writer != nullptr && !is_closed()) events_.on_sample(negotiation::Peer(*writer), arrival.sample);
}

void DdsReaderCore::look() {
    // The order matters: a missing writer wrote its last samples before it left, so they are among those
    // taken now.
    const Handles present = matched(dds_get_matched_publications);
    Handles missing;
    for (const auto& [writer, peer] : peers_)
        if (!contains(present, writer)) missing.push_back(writer);
    for (const auto& [writer, newcomer] : newcomers_)
        if (!contains(present, writer)) missing.push_back(writer);
    const Batch batch = take();

    for (const Arrival& arrival : batch.arrivals)
        if (!is_closed() && contains(missing, arrival.writer)) deliver(arrival);
    if (!batch.is_full)
        for (const dds_instance_handle_t writer : missing)
            if (!is_closed()) forget(writer);
    for (const dds_instance_handle_t writer : present)
        if (!is_closed()) know(writer);
    announce();
    for (const Arrival& arrival : batch.arrivals)
        if (!is_closed() && !contains(missing, arrival.writer)) deliver(arrival);
    if (!is_closed()) report_mismatches(DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
    if (batch.is_full && !is_closed()) ring();
}

}  // namespace caribou
