#include "adapters/dds/dds_graph.hpp"

#include <dds/dds.h>

#include <memory>

#include <fmt/format.h>

#include "adapters/dds/dds_discovery.hpp"
#include "adapters/dds/dds_handles.hpp"
#include "adapters/dds/dds_names.hpp"

namespace caribou {
std::map<negotiation::Topic, TopicUsers> topics_on_dds(const DdsParticipant& participant) {
    std::map<negotiation::Topic, TopicUsers> topics;
    const auto count = [&](std::size_t TopicUsers::* users) {
        return [&topics, &participant, users](const dds_builtintopic_endpoint_t& data) {
            if (participant.owns(to_peer_id(data.key))) return;
            const auto name = from_dds_topic(data.topic_name);
            const auto type = from_dds_type(data.type_name);
            if (name && type) ++(topics[{*name, *type}].*users);
        };
    };
    each_endpoint(participant.handle(), DDS_BUILTIN_TOPIC_DCPSPUBLICATION, count(&TopicUsers::writers));
    each_endpoint(participant.handle(), DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, count(&TopicUsers::readers));
    return topics;
}

std::vector<std::string> mismatches_on_dds(const DdsParticipant& participant, const std::string& topic,
                                           const negotiation::RosPeers& nodes) {
    struct End {
        std::string type;
        std::string name;
        std::shared_ptr<dds_qos_t> qos;
    };
    const auto ends_of = [&](dds_entity_t builtin_topic) {
        std::vector<End> ends;
        each_endpoint(participant.handle(), builtin_topic, [&](const dds_builtintopic_endpoint_t& data) {
            const auto name = from_dds_topic(data.topic_name);
            const negotiation::PeerId id = to_peer_id(data.key);
            if (participant.owns(id) || !name || !(*name == topic || name->starts_with(topic + "/"))) return;
            QosHandle qos(dds_create_qos());
            dds_copy_qos(qos.get(), data.qos);
            ends.push_back({fmt::format("{} {}", data.topic_name, data.type_name),
                            nodes.node_of(id).value_or(name_of(participant.handle(), data)), std::move(qos)});
        });
        return ends;
    };
    std::vector<std::string> texts;
    const auto readers = ends_of(DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
    for (const End& writer : ends_of(DDS_BUILTIN_TOPIC_DCPSPUBLICATION))
        for (const End& reader : readers) {
            if (writer.type != reader.type) continue;
            const std::string policy = policy_between(writer.qos.get(), reader.qos.get());
            if (policy.empty()) continue;
            const std::string dds_topic = writer.type.substr(0, writer.type.find(' '));
            texts.push_back(mismatch_text(from_dds_topic(dds_topic).value_or(dds_topic), writer.name,
                                          profile_text(writer.qos.get()), reader.name,
                                          profile_text(reader.qos.get()), policy));
        }
    return texts;
}

}  // namespace caribou
