#pragma once

#include <string>
#include <vector>

#include "bus_raw_client.hpp"
#include "bus_servers.hpp"

namespace caribou::bench {

/// A publisher and its subscribers, through a broker or a relay.
class Lane {
public:
    explicit Lane(const Target& target, std::size_t subscribers = 1);

    /// What the publisher sends: so many values of the variable that the subscribers hear of.
    Bytes packet(std::size_t messages = 1) const { return notify_packet(publisher_name_, key_, messages); }
    RawClient& publisher() { return clients_.back(); }
    RawClient& subscriber(std::size_t index = 0) { return clients_[index]; }

private:
    std::string key_;  ///< no other lane has it
    std::string publisher_name_;
    std::vector<RawClient> clients_;  ///< the publisher last: when a relay hears it, all are there
};

}  // namespace caribou::bench
