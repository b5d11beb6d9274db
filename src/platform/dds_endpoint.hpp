#pragma once

// Private to platform's DDS: shows CycloneDDS's header.

#include <dds/dds.h>

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
    DdsEndpoint(EventLoop& loop, dds_entity_t participant) : loop_(loop), participant_(participant) {}
    DdsEndpoint(const DdsEndpoint&) = delete;
    DdsEndpoint& operator=(const DdsEndpoint&) = delete;
    virtual ~DdsEndpoint() = default;

    /// From any thread: have the loop look.
    void ring();
    /// After it nothing comes any more; DDS has forgotten the endpoint.
    void close();

protected:
    bool is_closed() const { return closed_; }
    dds_entity_t entity() const { return entity_; }
    /// The topic is deleted with the endpoint.
    void open(dds_entity_t topic, dds_entity_t entity);
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
    negotiation::Peer peer_of(const dds_builtintopic_endpoint_t& data) const;

    using Peers = std::map<dds_instance_handle_t, negotiation::Peer>;
    Peers peers_;

private:
    EventLoop& loop_;
    dds_entity_t participant_;
    dds_entity_t topic_ = 0;
    dds_entity_t entity_ = 0;
    std::atomic<bool> rung_ = false;
    bool closed_ = false;
};

}  // namespace caribou
