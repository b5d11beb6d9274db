#pragma once

#include <cstddef>

#include "base/limits.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// What one client, and all of them together, may cost a broker. docs/broker.md explains each.
struct BrokerLimits {
    std::size_t max_clients = 20'000;
    std::size_t max_variables = 100'000;
    std::size_t max_message = 64_MiB;
    std::size_t max_name = 4_KiB;     ///< bytes of a client's or a variable's name, or of a pattern for one
    std::size_t max_filters = 1'000;  ///< wildcard registrations of one client

    /// Bytes waiting for one client (behind the packet that is on its way) at which they are
    /// collapsed to the newest value of each variable.
    std::size_t backlog_collapse = 8_MiB;
    /// Bytes waiting for one client at which, collapsed or not, the oldest go.
    std::size_t backlog_max = 32_MiB;
    /// Unsent bytes of all clients together; when it is reached, each may hold an equal share.
    std::size_t backlog_total = 512_MiB;
    /// A client whose backlog had to be thinned out and that takes no byte for this long is cut.
    Duration stall_limit = std::chrono::seconds(10);
    /// Packets of a synchronous client that may wait for their answers.
    std::size_t max_replies_owed = 1'000;

    /// A connection on which nothing is heard for this long is closed.
    Duration client_timeout = std::chrono::seconds(5);
    /// How long a newcomer under a name in use waits for the other one to leave.
    Duration name_grace = std::chrono::milliseconds(100);
    /// A client heard from within this time is alive, and keeps its name. Longer than the 1.33 s
    /// between two heartbeats.
    Duration name_alive = std::chrono::seconds(2);
    /// How long a broker that ends waits for handshakes that have begun.
    Duration stop_grace = std::chrono::milliseconds(500);
};

}  // namespace caribou::bus
