#pragma once

// Private to the DDS part of platform.

#include "adapters/dds/dds_endpoint.hpp"

namespace caribou {

/// The reader behind a negotiation::Reader; kept alive by tasks posted to the loop.
class DdsReaderCore final : public DdsEndpoint {
public:
    DdsReaderCore(EventLoop& loop, dds_entity_t participant, DdsHooks hooks,
                  negotiation::ReaderEvents& events)
        : DdsEndpoint(loop, participant, std::move(hooks)), events_(events) {}

    /// `type` must be the topic's.
    Result<void> start(dds_entity_t participant, dds_entity_t topic, const ddsi_sertype& type,
                       const negotiation::TopicQos& qos);

private:
    struct Arrival {
        dds_instance_handle_t writer;
        negotiation::Sample sample;
    };
    struct Batch {
        std::vector<Arrival> arrivals;
        bool is_full;  ///< there may be more
    };

    void look() override;
    bool is_in_contact(const negotiation::PeerId& writer) const override;
    /// Returns the available samples, at most one turn's worth.
    Batch take();
    void deliver(const Arrival& arrival);
    void on_joined(const negotiation::Peer& peer) override { events_.on_writer_joined(peer); }
    /// Adds a writer if it is new.
    void know(dds_instance_handle_t writer);
    void forget(dds_instance_handle_t writer);

    negotiation::ReaderEvents& events_;
    /// the latest, because one of their samples may still be in transit
    std::deque<dds_instance_handle_t> gone_;
};

}  // namespace caribou
