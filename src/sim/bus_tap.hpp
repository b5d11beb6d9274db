#pragma once

#include <map>

#include "loop/clock.hpp"
#include "sim/bus_audit.hpp"
#include "sim/overheard.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Shows an audit what passes between a broker and its clients. It taps the broker's side: what
/// is read there was said by clients, what is written there is told to them.
class BusTap final : public StreamTap {
public:
    BusTap(const Clock& clock, BusAudit& audit) : clock_(clock), audit_(audit) {}

    void on_read(StreamNumber stream, ByteView bytes) override;
    void on_written(StreamNumber stream, ByteView bytes) override;
    void on_gone(StreamNumber stream) override;

private:
    struct Conversation {
        Overheard said{Overheard::Speaker::client};
        Overheard told{Overheard::Speaker::broker};
        std::size_t messages_told = 0;  ///< in the packet under way
    };

    const Clock& clock_;
    BusAudit& audit_;
    std::map<StreamNumber, Conversation> conversations_;
};

}  // namespace caribou::sim
