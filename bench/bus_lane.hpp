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

    /// Returns a packet of the publisher, with this many values of the subscribed variable.
    Bytes packet(std::size_t messages = 1) const { return notify_packet(publisher_name_, key_, messages); }
    RawClient& publisher() { return clients_.back(); }
    RawClient& subscriber(std::size_t index = 0) { return clients_[index]; }

private:
    std::string key_;  ///< unique to this lane
    std::string publisher_name_;
    std::vector<RawClient> clients_;  ///< the publisher last: when a relay has accepted it, all are connected
};

}  // namespace caribou::bench
