#pragma once

#include <cstdint>

namespace caribou::bus {

/// Counters of a client since its construction. Every loss of a message is counted here.
struct ClientStats {
    std::uint64_t attempts = 0;  ///< connection attempts
    std::uint64_t attempts_since_connected = 0;
    std::uint64_t connections = 0;  ///< attempts that received a welcome
    std::uint64_t losses = 0;       ///< established connections that were lost
    std::uint64_t refusals = 0;     ///< POISON received instead of a welcome
    std::uint64_t malformed = 0;    ///< connections closed because of malformed data from the broker

    std::uint64_t packets_sent = 0;
    std::uint64_t messages_sent = 0;  ///< including heartbeats
    std::uint64_t bytes_sent = 0;
    std::uint64_t packets_received = 0;
    std::uint64_t messages_received = 0;
    std::uint64_t bytes_received = 0;

    std::uint64_t refused = 0;          ///< notifications refused because the outbox was full
    std::uint64_t dropped_oldest = 0;   ///< notifications dropped to make room for newer ones
    std::uint64_t dropped_on_loss = 0;  ///< notifications dropped with OnLoss::drop
    std::uint64_t mail_lost = 0;        ///< messages lost because a mail queue was full
    std::uint64_t ignored = 0;          ///< unexpected messages and late answers

    friend bool operator==(const ClientStats&, const ClientStats&) = default;
};

}  // namespace caribou::bus
