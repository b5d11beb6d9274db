#include "adapters/dds/dds_endpoint.hpp"

#include <array>
#include <utility>

#include "adapters/dds/dds_discovery.hpp"
#include "adapters/dds/dds_handles.hpp"
#include "adapters/dds/dds_names.hpp"

namespace caribou {
namespace {

// DDS notifies either end of a match as soon as that end has discovered the other. Until both have, and a
// heartbeat was exchanged, a volatile reader misses samples. DDS has no event for that moment.
constexpr Duration contact_interval = std::chrono::milliseconds(5);  ///< between two checks
/// For implementations of DDS that answer no heartbeat while there are no samples.
constexpr Duration contact_limit = std::chrono::seconds(3);

}  // namespace

DdsEndpoint::DdsEndpoint(EventLoop& loop, dds_entity_t participant, DdsHooks hooks)
    : loop_(loop),
      timer_(loop.make_timer([this] { announce(); })),
      participant_(participant),
      hooks_(std::move(hooks)) {}

void DdsEndpoint::ring_for_mismatch() {
    has_mismatch_ = true;
    ring();
}

void DdsEndpoint::ring() {
    if (rung_.exchange(true)) return;
    loop_.post_from_any_thread([weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->closed_) return;
        self->rung_ = false;
        self->look();
    });
}

void DdsEndpoint::open(dds_entity_t topic, dds_entity_t entity, const ddsi_sertype& type,
                       const negotiation::TopicQos& qos) {
    topic_ = topic;
    entity_ = entity;
    type_ = &type;
    qos_ = qos;
}

negotiation::PeerId DdsEndpoint::id() const { return guid_of(entity_); }

void DdsEndpoint::close() {
    closed_ = true;
    dds_delete(entity_);  // blocks until a running listener has returned
    dds_delete(topic_);
}

bool DdsEndpoint::meets_at_once(const dds_builtintopic_endpoint_t& data) const {
    if (to_peer_id(data.participant_key) == guid_of(participant_)) return true;  // same participant
    dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
    dds_duration_t blocking = 0;
    dds_qget_reliability(data.qos, &reliability, &blocking);
    dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
    dds_qget_durability(data.qos, &durability);
    const bool reliably =
        reliability == DDS_RELIABILITY_RELIABLE && qos_.reliability == negotiation::Reliability::reliable;
    const bool kept =
        durability != DDS_DURABILITY_VOLATILE && qos_.durability == negotiation::Durability::transient_local;
    return !reliably || kept;
}

void DdsEndpoint::welcome(dds_instance_handle_t handle, const dds_builtintopic_endpoint_t& data) {
    newcomers_.emplace(handle, Newcomer{.peer = {to_peer_id(data.key), name_of(participant_, data)},
                                        .needs_contact = !meets_at_once(data),
                                        .limit = loop_.clock().now() + contact_limit});
}

const negotiation::Peer* DdsEndpoint::introduce(dds_instance_handle_t handle) {
    if (const auto node = newcomers_.extract(handle)) {
        auto& peer = peers_.emplace(handle, node.mapped().peer).first->second;
        if (auto name = hooks_.node_of(peer.id)) peer.name = std::move(*name);
        on_joined(negotiation::Peer(peer));
    }
    const auto known = peers_.find(handle);
    return known == peers_.end() ? nullptr : &known->second;
}

void DdsEndpoint::report_mismatches(dds_entity_t builtin_topic) {
    if (!has_mismatch_.exchange(false)) return;
    const QosHandle own_qos(dds_create_qos());
    dds_get_qos(entity_, own_qos.get());
    std::array<char, 512> topic_name{};
    std::array<char, 512> type_name{};
    dds_get_name(topic_, topic_name.data(), topic_name.size());
    dds_get_type_name(topic_, type_name.data(), type_name.size());
    const bool is_reader = builtin_topic == DDS_BUILTIN_TOPIC_DCPSPUBLICATION;
    each_endpoint(participant_, builtin_topic, [&](const dds_builtintopic_endpoint_t& other) {
        if (std::string_view(other.topic_name) != topic_name.data() ||
            std::string_view(other.type_name) != type_name.data())
            return;
        const std::string policy =
            is_reader ? policy_between(other.qos, own_qos.get()) : policy_between(own_qos.get(), other.qos);
        const negotiation::PeerId id = to_peer_id(other.key);
        if (policy.empty() || !mismatched_.insert(id).second) return;
        const std::string name = hooks_.node_of(id).value_or(name_of(participant_, other));
        const std::string topic = from_dds_topic(topic_name.data()).value_or(topic_name.data());
        const std::string own = profile_text(own_qos.get());
        const std::string others = profile_text(other.qos);
        hooks_.report(is_reader ? mismatch_text(topic, name, others, "this process", own, policy)
                                : mismatch_text(topic, "this process", own, name, others, policy));
    });
}

void DdsEndpoint::announce() {
    const auto self = shared_from_this();  // the owner may destroy this object meanwhile
    const Instant now = loop_.clock().now();
    const auto is_due = [&](const auto& each) {
        const Newcomer& newcomer = each.second;
        return !newcomer.needs_contact || newcomer.limit <= now || is_in_contact(newcomer.peer.id);
    };
    while (!closed_) {
        const auto next = std::ranges::find_if(newcomers_, is_due);
        if (next == newcomers_.end()) break;
        introduce(next->first);
    }
    if (!closed_ && !newcomers_.empty()) timer_->arm(now + contact_interval);
}

}  // namespace caribou
