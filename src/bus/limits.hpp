#pragma once

#include <cstddef>

#include "base/limits.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// Returns an upper bound of the descriptors of a process with a broker, for its clients, files, timers and
/// page.
constexpr std::size_t broker_descriptors(std::size_t max_clients) { return max_clients + 256; }

/// Limits on the resources that one client, and all clients together, use in a broker. docs/broker.md
/// explains each.
struct BrokerLimits {
    std::size_t max_clients = 20'000;
    std::size_t max_variables = 100'000;
    std::size_t max_message = 64_MiB;
    std::size_t max_name = 4_KiB;     ///< bytes; client and variable names and patterns
    std::size_t max_filters = 1'000;  ///< wildcard registrations per client

    /// When this many bytes wait for one client (after the packet being sent), only the latest value of each
    /// variable is kept.
    std::size_t backlog_collapse = 8_MiB;
    /// When this many bytes wait for one client even so, the oldest messages are dropped.
    std::size_t backlog_max = 32_MiB;
    /// Unsent bytes of all clients; when it is reached, each client may hold an equal share.
    std::size_t backlog_total = 512_MiB;
    /// A client whose backlog had to be thinned out, and that reads nothing for this time, is disconnected.
    Duration stall_limit = std::chrono::seconds(10);
    /// Packets of a synchronous client waiting for replies.
    std::size_t max_replies_owed = 1'000;
    /// Server requests of one client that wait for their turn.
    std::size_t max_requests_waiting = 1'000;
    /// A client with more unsent bytes than this gets no further answers to server requests.
    std::size_t request_backlog = 1_MiB;

    /// Steps of work that the input of one client may cause in a turn of the loop: a variable compared with a
    /// pattern, a message delivered, 64 bytes of a latest value copied. Further input waits for the next
    /// turn.
    std::size_t turn_work = 200'000;

    /// A connection on which nothing is received for this time is closed.
    Duration client_timeout = std::chrono::seconds(5);
    /// How long a new connection with a name in use waits for the other one to be closed.
    Duration name_grace = std::chrono::milliseconds(100);
    /// A client that has sent something within this time is alive and keeps its name. Longer than the 1.33 s
    /// between two heartbeats.
    Duration name_alive = std::chrono::seconds(2);
    /// How long a stopping broker waits for handshakes in progress.
    Duration stop_grace = std::chrono::milliseconds(500);
};

}  // namespace caribou::bus
