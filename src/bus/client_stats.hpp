#pragma once

#include <cstdint>

namespace caribou::bus {

/// What a client has done since it was made. Whatever does not reach its goal is counted here.
struct ClientStats {
    std::uint64_t attempts = 0;  ///< to connect
    std::uint64_t attempts_since_connected = 0;
    std::uint64_t connections = 0;  ///< that got as far as a welcome
    std::uint64_t losses = 0;       ///< of those
    std::uint64_t refusals = 0;     ///< POISON instead of a welcome
    std::uint64_t malformed = 0;    ///< connections dropped because the broker's bytes made no sense

    std::uint64_t packets_sent = 0;
    std::uint64_t messages_sent = 0;  ///< heartbeats included
    std::uint64_t bytes_sent = 0;
    std::uint64_t packets_received = 0;
    std::uint64_t messages_received = 0;
    std::uint64_t bytes_received = 0;

    std::uint64_t refused = 0;          ///< notifications: the outbox was full
    std::uint64_t dropped_oldest = 0;   ///< notifications that made room for newer ones
    std::uint64_t dropped_on_loss = 0;  ///< notifications, with OnLoss::drop
    std::uint64_t mail_lost = 0;        ///< messages that a full queue of mail did not keep
    std::uint64_t ignored = 0;          ///< messages of kinds that mean nothing to a client, late answers

    friend bool operator==(const ClientStats&, const ClientStats&) = default;
};

}  // namespace caribou::bus
