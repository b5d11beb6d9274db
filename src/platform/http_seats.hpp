#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "loop/time.hpp"

namespace caribou {

/// Limits for the number of HTTP connections.
struct HttpSeatLimits {
    std::size_t usual = 64;  ///< above it, connections without progress are closed
    std::size_t total = 256;
    /// A connection without progress for less time is kept, unless `total` is exceeded.
    Duration grace = std::chrono::milliseconds(200);
};

/// A connection, as far as it matters for the decision which one is closed.
struct HttpSeat {
    enum class Phase : std::uint8_t {
        idle,          ///< nothing of a request has arrived
        reading,       ///< a part of it
        ready,         ///< a complete request waits for its answer
        ready_socket,  ///< a complete request for a WebSocket: never closed
        writing,       ///< the answer is being sent
    };
    Phase phase = Phase::idle;
    Instant progress{};  ///< of its last change of phase, or of the last part of an answer
};

/// Returns the index of the connection to close, nullopt if none is to be closed. Above `total`, the
/// connections without progress and the requests that wait compete: the oldest of the larger group is closed,
/// so that a client that has just connected is not closed in favor of requests that arrive in masses. `seats`
/// are sorted by progress, oldest first.
std::optional<std::size_t> seat_to_free(std::span<const HttpSeat> seats, Instant now,
                                        const HttpSeatLimits& limits);

}  // namespace caribou
