#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/limits.hpp"
#include "loop/address.hpp"
#include "loop/clock.hpp"
#include "loop/inbox.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// When client and broker send.
enum class CommsMode {
    asynchronous,  ///< each sends whenever it has messages
    synchronous,   ///< in turns: at each comms tick one packet out, then one packet in
};

/// What happens to waiting notifications when the connection is lost.
enum class OnLoss {
    keep,  ///< they are sent after the reconnect, in order
    drop,  ///< they are dropped and counted in ClientStats::dropped_on_loss
};

/// What a client does when the broker refuses it (POISON).
enum class WhenRefused {
    retry,  ///< tries again: usually the broker has not yet noticed that our last connection is gone
    stop,   ///< stops, like the original
};

/// Whether time stamps are corrected by the measured skew between the broker's clock and ours.
enum class SkewCorrection {
    automatic,  ///< correct unless the broker runs on this machine (see ClientOptions::hostname)
    on,
    off,
};

/// Capacity of a queue, and what happens when it is full.
struct QueueLimit {
    std::size_t messages = 65536;
    std::size_t bytes = 16_MiB;
    WhenFull when_full = WhenFull::drop_oldest;
};

struct ClientOptions {
    std::string name{};  ///< unique name at the broker; not empty
    Address broker = Address::ip("127.0.0.1", 9000);

    CommsMode mode = CommsMode::asynchronous;
    double comms_tick = 5;  ///< Hz, in [0.5, 200]; used in synchronous mode only

    /// Messages not yet passed to the network.
    QueueLimit outbox{.when_full = WhenFull::refuse};
    OnLoss on_loss = OnLoss::keep;
    /// Applies to each mail queue and to the answer to a server request.
    QueueLimit inbox{};
    std::size_t max_message = 64_MiB;       ///< largest message from the broker, in bytes
    std::size_t max_requests = 64;          ///< server requests waiting for their answers
    std::size_t max_registrations = 65536;  ///< variables plus wildcards

    Duration connect_limit = std::chrono::seconds(5);     ///< time limit for the TCP connection
    Duration handshake_limit = std::chrono::seconds(10);  ///< then time limit for the broker's welcome
    /// If nothing is received for this time, the connection is considered lost (a broker echoes our heartbeat
    /// every second). In synchronous mode: time limit for the answer to a packet.
    Duration silence_limit = std::chrono::seconds(5);
    WhenRefused when_refused = WhenRefused::retry;

    /// This machine's name, supplied by platform. If empty, a loopback address counts as this machine.
    std::string hostname{};
    SkewCorrection correct_skew = SkewCorrection::automatic;
    /// Clock for time stamps; must outlive the client. If null, the loop's clock is used.
    const Clock* stamps = nullptr;
    /// Stamps messages at the time warp shown by the broker's welcome, if it is a whole number. For tools,
    /// which have no mission file; requires `stamps` to be null.
    bool adopt_warp = false;

    std::uint64_t seed = 0;  ///< determines, together with the name, the jitter between attempts
};

}  // namespace caribou::bus
