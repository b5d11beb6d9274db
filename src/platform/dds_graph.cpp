#include "platform/dds_graph.hpp"

#include <dds/dds.h>

#include <array>

#include "platform/dds_handles.hpp"
#include "platform/dds_names.hpp"

namespace caribou {
namespace {

/// Calls `with` for each existing writer, or each reader.
template <class F>
void each_endpoint(const DdsParticipant& participant, dds_entity_t builtin_topic, F with) {
    const dds_entity_t reader = dds_create_reader(participant.handle(), builtin_topic, nullptr, nullptr);
    for (;;) {
        std::array<void*, 64> samples{};
        std::array<dds_sample_info_t, 64> infos{};
        const dds_return_t count =
            dds_take(reader, samples.data(), infos.data(), samples.size(), samples.size());
        if (count <= 0) break;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const auto* data = static_cast<const dds_builtintopic_endpoint_t*>(samples[i]);
            if (infos[i].valid_data && infos[i].instance_state == DDS_IST_ALIVE &&
                !participant.owns(to_peer_id(data->key)))
                with(*data);
        }
        dds_return_loan(reader, samples.data(), count);
    }
    dds_delete(reader);
}

}  // namespace

std::map<negotiation::Topic, TopicUsers> topics_on_dds(const DdsParticipant& participant) {
    std::map<negotiation::Topic, TopicUsers> topics;
    const auto count = [&](std::size_t TopicUsers::* users) {
        return [&topics, users](const dds_builtintopic_endpoint_t& data) {
            const auto name = from_dds_topic(data.topic_name);
            const auto type = from_dds_type(data.type_name);
            if (name && type) ++(topics[{*name, *type}].*users);
        };
    };
    each_endpoint(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, count(&TopicUsers::writers));
    each_endpoint(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, count(&TopicUsers::readers));
    return topics;
}

}  // namespace caribou
