#include "adapters/dds/dds_handles.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace caribou {
namespace {

/// Samples from all writers that may wait for our loop; beyond that, DDS blocks reliable writers.
constexpr std::int32_t max_waiting_samples = 10'000;

std::int32_t depth_of(const negotiation::TopicQos& qos) {
    constexpr std::size_t most = max_waiting_samples;
    return static_cast<std::int32_t>(std::clamp<std::size_t>(qos.depth, 1, most));
}

QosHandle endpoint_qos(const negotiation::TopicQos& qos) {
    QosHandle handle(dds_create_qos());
    dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qset_data_representation(handle.get(), 1, &xcdr1);
    dds_qset_writer_data_lifecycle(handle.get(), false);  // leaving does not dispose of the samples
    // A full writer fails at once, because the loop must never block.
    dds_qset_reliability(handle.get(),
                         qos.reliability == negotiation::Reliability::reliable ? DDS_RELIABILITY_RELIABLE
                                                                               : DDS_RELIABILITY_BEST_EFFORT,
                         0);
    if (qos.durability == negotiation::Durability::transient_local) {
        dds_qset_durability(handle.get(), DDS_DURABILITY_TRANSIENT_LOCAL);
        dds_qset_durability_service(handle.get(), 0, DDS_HISTORY_KEEP_LAST, depth_of(qos),
                                    DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    }
    return handle;
}

}  // namespace

negotiation::PeerId to_peer_id(const dds_guid_t& guid) {
    negotiation::PeerId id;
    for (std::size_t i = 0; i < 8; ++i) {
        id.high = id.high << 8 | guid.v[i];
        id.low = id.low << 8 | guid.v[i + 8];
    }
    return id;
}

dds_guid_t to_dds_guid(const negotiation::PeerId& id) {
    dds_guid_t guid{};
    for (std::size_t i = 0; i < 8; ++i) {
        guid.v[i] = static_cast<std::uint8_t>(id.high >> (56 - 8 * i));
        guid.v[i + 8] = static_cast<std::uint8_t>(id.low >> (56 - 8 * i));
    }
    return guid;
}

negotiation::PeerId guid_of(dds_entity_t entity) {
    dds_guid_t guid{};
    dds_get_guid(entity, &guid);
    return to_peer_id(guid);
}

std::string name_of(dds_entity_t participant, const dds_builtintopic_endpoint_t& endpoint) {
    std::string name = fmt::format("{:08x}", to_peer_id(endpoint.participant_key).high >> 32);
    const dds_entity_t reader =
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, nullptr, nullptr);
    void* sample = nullptr;
    dds_sample_info_t info;
    const dds_return_t count =
        dds_read_instance(reader, &sample, &info, 1, 1, endpoint.participant_instance_handle);
    if (count == 1 && info.valid_data) {
        char* said = nullptr;
        const auto* data = static_cast<const dds_builtintopic_participant_t*>(sample);
        if (dds_qget_entity_name(data->qos, &said) && said != nullptr) {
            if (*said != '\0') name = said;
            dds_free(said);
        }
    }
    if (count > 0) dds_return_loan(reader, &sample, count);
    dds_delete(reader);
    return name;
}

bool is_of_caribou(dds_entity_t participant, const negotiation::PeerId& endpoint) {
    const dds_entity_t reader =
        dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, nullptr, nullptr);
    bool found = false;
    void* sample = nullptr;
    dds_sample_info_t info;
    while (!found && dds_take(reader, &sample, &info, 1, 1) == 1) {
        const auto* data = static_cast<const dds_builtintopic_participant_t*>(sample);
        const negotiation::PeerId id = to_peer_id(data->key);
        const bool is_it = id.high == endpoint.high && id.low >> 32 == endpoint.low >> 32;
        void* words = nullptr;
        std::size_t size = 0;
        if (info.valid_data && is_it && dds_qget_userdata(data->qos, &words, &size) && words != nullptr) {
            found = std::string_view(static_cast<const char*>(words), size).contains(caribou_mark);
            dds_free(words);
        }
        dds_return_loan(reader, &sample, 1);
        sample = nullptr;
    }
    dds_delete(reader);
    return found;
}

// The history is not part of the matching.
QosHandle writer_qos(const negotiation::TopicQos& qos) {
    QosHandle handle = endpoint_qos(qos);
    if (qos.history == negotiation::History::keep_all)
        dds_qset_history(handle.get(), DDS_HISTORY_KEEP_ALL, 0);
    else
        dds_qset_history(handle.get(), DDS_HISTORY_KEEP_LAST, depth_of(qos));
    return handle;
}

QosHandle reader_qos(const negotiation::TopicQos& qos) {
    QosHandle handle = endpoint_qos(qos);
    // A topic without a key is a single instance, so the limit applies to all writers together: the newest
    // sample of each must fit.
    dds_qset_history(handle.get(), DDS_HISTORY_KEEP_ALL, 0);
    dds_qset_resource_limits(handle.get(), max_waiting_samples, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    return handle;
}

}  // namespace caribou
