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

namespace {

/// A writer or reader.
struct End {
    std::string type;  ///< with the topic
    std::string topic;
    std::string name;
    std::shared_ptr<dds_qos_t> qos;
    bool is_own;
};

/// Returns the writers or readers that `accept(topic, is_own)` selects.
template <class Accept>
std::vector<End> ends_of(const DdsParticipant& participant, dds_entity_t builtin_topic,
                         const negotiation::RosPeers& nodes, Accept accept) {
    std::vector<End> ends;
    each_endpoint(participant.handle(), builtin_topic, [&](const dds_builtintopic_endpoint_t& data) {
        const auto topic = from_dds_topic(data.topic_name);
        const negotiation::PeerId id = to_peer_id(data.key);
        const bool is_own = participant.owns(id);
        if (!topic || !accept(*topic, is_own)) return;
        QosHandle qos(dds_create_qos());
        dds_copy_qos(qos.get(), data.qos);
        ends.push_back(
            {fmt::format("{} {}", data.topic_name, data.type_name), *topic,
             is_own ? "this process" : nodes.node_of(id).value_or(name_of(participant.handle(), data)),
             std::move(qos), is_own});
    });
    return ends;
}

/// Returns a sentence for each pair that does not match, and that `accept(writer, reader)` selects.
template <class Accept>
std::vector<std::string> mismatches_between(const std::vector<End>& writers, const std::vector<End>& readers,
                                            Accept accept) {
    std::vector<std::string> texts;
    for (const End& writer : writers)
        for (const End& reader : readers) {
            if (writer.type != reader.type || !accept(writer, reader)) continue;
            const std::string policy = policy_between(writer.qos.get(), reader.qos.get());
            if (policy.empty()) continue;
            texts.push_back(mismatch_text(writer.topic, writer.name, profile_text(writer.qos.get()),
                                          reader.name, profile_text(reader.qos.get()), policy));
        }
    return texts;
}

}  // namespace

std::vector<std::string> mismatches_on_dds(const DdsParticipant& participant, const std::string& topic,
                                           const negotiation::RosPeers& nodes) {
    const auto is_about = [&](const std::string& name, bool is_own) {
        return !is_own && (name == topic || name.starts_with(topic + "/"));
    };
    return mismatches_between(ends_of(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nodes, is_about),
                              ends_of(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, nodes, is_about),
                              [](const End&, const End&) { return true; });
}

std::vector<std::string> own_mismatches_on_dds(const DdsParticipant& participant,
                                               const negotiation::RosPeers& nodes) {
    const auto any = [](const std::string&, bool) { return true; };
    return mismatches_between(
        ends_of(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nodes, any),
        ends_of(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, nodes, any),
        [](const End& writer, const End& reader) { return writer.is_own || reader.is_own; });
}

}  // namespace caribou
