#pragma once

// Private to platform's DDS: shows CycloneDDS's header.

#include <dds/dds.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "negotiation/transport.hpp"
#include "platform/event_loop.hpp"

struct ddsi_sertype;

namespace caribou {

/// A writer or reader of DDS whose news come to our loop. DDS's threads only ring; what has happened is
/// looked up by the loop, so that nothing is done under DDS's locks and many rings are one turn.
class DdsEndpoint : public std::enable_shared_from_this<DdsEndpoint> {
public:
    DdsEndpoint(EventLoop& loop, dds_entity_t participant);
    DdsEndpoint(const DdsEndpoint&) = delete;
    DdsEndpoint& operator=(const DdsEndpoint&) = delete;
    virtual ~DdsEndpoint() = default;

    negotiation::PeerId id() const;
    /// From any thread: have the loop look.
    void ring();
    /// After it nothing comes any more; DDS has forgotten the endpoint.
    void close();

protected:
    bool is_closed() const { return closed_; }
    dds_entity_t entity() const { return entity_; }
    /// The topic is deleted with the endpoint.
    void open(dds_entity_t topic, dds_entity_t entity, const negotiation::TopicQos& qos);
    virtual void look() = 0;

    using Handles = std::vector<dds_instance_handle_t>;
    /// Who is matched now, whatever function lists them.
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
    /// The other end of a match: tells of it as soon as both ends hear each other.
    void welcome(dds_instance_handle_t handle, const dds_builtintopic_endpoint_t& data);
    /// Tells of it now, if that was still to come. Null if it is not known at all.
    const negotiation::Peer* introduce(dds_instance_handle_t handle);
    bool knows(dds_instance_handle_t handle) const {
        return peers_.contains(handle) || newcomers_.contains(handle);
    }
    /// Tells of those whose time has come.
    void announce();
    virtual void on_joined(const negotiation::Peer& peer) = 0;

    static bool contains(const auto& handles, dds_instance_handle_t handle) {
        return std::ranges::find(handles, handle) != handles.end();
    }

    std::map<dds_instance_handle_t, negotiation::Peer> peers_;  ///< those that our owner knows of
    struct Newcomer {
        negotiation::Peer peer;
        Instant due;
    };
    std::map<dds_instance_handle_t, Newcomer> newcomers_;

private:
    /// Whether the two hear each other from the moment on at which they are matched.
    bool meets_at_once(const dds_builtintopic_endpoint_t& data) const;

    EventLoop& loop_;
    std::unique_ptr<Timer> timer_;
    dds_entity_t participant_;
    dds_entity_t topic_ = 0;
    dds_entity_t entity_ = 0;
    negotiation::TopicQos qos_{};
    std::atomic<bool> rung_ = false;
    bool closed_ = false;
};

}  // namespace caribou
