#pragma once

#include <cstddef>
#include <vector>

#include "bus_raw_client.hpp"
#include "bus_servers.hpp"

namespace caribou::bench {

/// Connected clients that send nothing.
class Crowd {
public:
    /// Starts all connections before it waits for the first.
    Crowd(const Target& broker, std::size_t size);

    /// Returns when the broker has answered each client.
    void heartbeat();

private:
    std::vector<RawClient> clients_;
};

/// Gives up unless this process may hold `count` connections.
void allow_descriptors(std::size_t count);

}  // namespace caribou::bench
