#pragma once

#include <string>
#include <vector>

#include "bus_raw_client.hpp"
#include "bus_servers.hpp"

namespace caribou::bench {

/// A publisher and its subscribers, through a broker or a relay.
class Lane {
public:
    /// Connects all clients, and returns when every subscription is active.
    explicit Lane(const Target& target, std::size_t subscribers = 1);

    /// Returns what the publisher sends at once: this many values of the subscribed variable, in packets of
    /// `per_packet`, which divides their number; with plain framing as many payloads of the same size, each
    /// after four bytes with its length: no protocol needs less.
    Bytes load(std::size_t messages = 1, std::size_t per_packet = 1) const;
    RawClient& publisher() { return clients_.back(); }
    RawClient& subscriber(std::size_t index = 0) { return clients_[index]; }

private:
    Framing framing_;
    std::string key_;  ///< unique to this lane
    std::string publisher_name_;
    std::vector<RawClient> clients_;  ///< the publisher last: when a relay has accepted it, all are connected
};

}  // namespace caribou::bench
