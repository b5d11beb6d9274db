#pragma once

// Private to the DDS part of platform.

#include "adapters/dds/dds_endpoint.hpp"

namespace caribou {

/// The writer behind a negotiation::Writer; kept alive by tasks posted to the loop.
class DdsWriterCore final : public DdsEndpoint {
public:
    DdsWriterCore(EventLoop& loop, dds_entity_t participant, DdsHooks hooks,
                  negotiation::WriterEvents& events)
        : DdsEndpoint(loop, participant, std::move(hooks)), events_(events) {}

    /// `type` must be the topic's.
    Result<void> start(dds_entity_t participant, dds_entity_t topic, const ddsi_sertype& type,
                       const negotiation::TopicQos& qos);
    /// Sends a sample without copying its bytes. Fails at once if DDS has no room for it.
    Result<void> write(const negotiation::Sample& sample);

private:
    void look() override;
    bool is_in_contact(const negotiation::PeerId& reader) const override;
    void on_joined(const negotiation::Peer& peer) override { events_.on_reader_joined(peer); }

    negotiation::WriterEvents& events_;
};

}  // namespace caribou
