#pragma once

// Private to platform's DDS.

#include "platform/dds_endpoint.hpp"

namespace caribou {

class DdsWriterCore final : public DdsEndpoint {
public:
    DdsWriterCore(EventLoop& loop, dds_entity_t participant, negotiation::WriterEvents& events)
        : DdsEndpoint(loop, participant), events_(events) {}

    /// The type is the topic's.
    Result<void> start(dds_entity_t participant, dds_entity_t topic, const ddsi_sertype& type,
                       const negotiation::TopicQos& qos);
    Result<void> write(const negotiation::Sample& sample);

private:
    void look() override;
    void on_joined(const negotiation::Peer& peer) override { events_.on_reader_joined(peer); }

    negotiation::WriterEvents& events_;
    const ddsi_sertype* type_ = nullptr;
};

}  // namespace caribou
