#pragma once

#include <map>

#include "loop/clock.hpp"
#include "sim/bus_audit.hpp"
#include "sim/overheard.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Passes the traffic between a broker and its clients to an audit. It taps the broker's side: bytes read
/// there come from clients, bytes written there go to them.
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
        std::size_t messages_told = 0;  ///< in the current packet
    };

    const Clock& clock_;
    BusAudit& audit_;
    std::map<StreamNumber, Conversation> conversations_;
};

}  // namespace caribou::sim
