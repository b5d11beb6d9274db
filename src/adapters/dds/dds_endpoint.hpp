#pragma once

// Private to the DDS part of platform: includes CycloneDDS's header.

#include <dds/dds.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "negotiation/transport.hpp"
#include "platform/event_loop.hpp"

struct ddsi_sertype;

namespace caribou {

/// What endpoints need from their transport.
struct DdsHooks {
    std::function<void(const std::string&)> report;  ///< reports a problem to people
    /// Returns the name of the ROS 2 node that owns an endpoint, if it is known.
    std::function<std::optional<std::string>(const negotiation::PeerId&)> node_of;
};

/// A DDS writer or reader whose events are handled on our loop. DDS's threads only signal the loop, which
/// then looks up what has happened, so that nothing runs under DDS's locks and several signals cause a single
/// turn.
class DdsEndpoint : public std::enable_shared_from_this<DdsEndpoint> {
public:
    DdsEndpoint(EventLoop& loop, dds_entity_t participant, DdsHooks hooks);
    DdsEndpoint(const DdsEndpoint&) = delete;
    DdsEndpoint& operator=(const DdsEndpoint&) = delete;
    virtual ~DdsEndpoint() = default;

    negotiation::PeerId id() const;
    /// Makes the loop check for events. Thread-safe.
    void ring();
    /// Makes the loop look for endpoints of the same topic that do not match. Thread-safe.
    void ring_for_mismatch();
    /// Deletes the endpoint in DDS. No events follow.
    void close();

protected:
    bool is_closed() const { return closed_; }
    dds_entity_t entity() const { return entity_; }
    /// Takes ownership of topic and entity; the topic is deleted with the endpoint. `type` must be the
    /// topic's.
    void open(dds_entity_t topic, dds_entity_t entity, const ddsi_sertype& type,
              const negotiation::TopicQos& qos);
    const ddsi_sertype& type() const { return *type_; }
    /// Handles all new events. Called on the loop after ring().
    virtual void look() = 0;

    using Handles = std::vector<dds_instance_handle_t>;
    /// Returns the handles of the matched endpoints, listed by the DDS function `list`.
    template <class List>
    Handles matched(List list) const {
        Handles handles(8);
        for (;;) {
            const dds_return_t count = list(entity_, handles.data(), handles.size());
            if (count < 0) return {};
            const auto size = static_cast<std::size_t>(count);
            const bool all = size <= handles.size();
            handles.resize(size);
            if (all) return handles;
        }
    }
    /// Adds a matched endpoint; reports it as soon as both ends receive each other.
    void welcome(dds_instance_handle_t handle, const dds_builtintopic_endpoint_t& data);
    /// Reports a matched endpoint now, if it was not reported yet. Returns null if it is unknown.
    const negotiation::Peer* introduce(dds_instance_handle_t handle);
    /// Returns whether a matched endpoint was added by welcome().
    bool knows(dds_instance_handle_t handle) const {
        return peers_.contains(handle) || newcomers_.contains(handle);
    }
    /// Reports the endpoints that are in contact, and looks again soon if there are others.
    void announce();
    /// Reports endpoints of the topic that do not match, if DDS has found any. `builtin_topic` lists the
    /// other side.
    void report_mismatches(dds_entity_t builtin_topic);
    /// Returns whether samples between a matched endpoint of another process and this one are received.
    virtual bool is_in_contact(const negotiation::PeerId& peer) const = 0;
    /// Called once for each reported peer.
    virtual void on_joined(const negotiation::Peer& peer) = 0;

    static bool contains(const auto& handles, dds_instance_handle_t handle) {
        return std::ranges::find(handles, handle) != handles.end();
    }

    std::map<dds_instance_handle_t, negotiation::Peer> peers_;  ///< already reported to the owner
    struct Newcomer {
        negotiation::Peer peer;
        bool needs_contact;
        Instant limit;  ///< by then it is reported in any case
    };
    std::map<dds_instance_handle_t, Newcomer> newcomers_;

private:
    /// Returns whether both ends receive each other from the moment of the match.
    bool meets_at_once(const dds_builtintopic_endpoint_t& data) const;

    EventLoop& loop_;
    std::unique_ptr<Timer> timer_;
    dds_entity_t participant_;
    dds_entity_t topic_ = 0;
    dds_entity_t entity_ = 0;
    const ddsi_sertype* type_ = nullptr;
    negotiation::TopicQos qos_{};
    DdsHooks hooks_;
    std::set<negotiation::PeerId> mismatched_;  ///< reported already
    std::atomic<bool> rung_ = false;
    std::atomic<bool> has_mismatch_ = false;
    bool closed_ = false;
};

}  // namespace caribou
