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

/// How client and broker take turns.
enum class CommsMode {
    asynchronous,  ///< both send when they have something
    synchronous,   ///< lock-step: at every comms tick one packet out, then one packet in
};

/// What becomes of a notification that waits when the connection is lost.
enum class OnLoss {
    keep,  ///< it is sent after the reconnect, in its place
    drop,  ///< it is dropped, and counted in ClientStats::dropped_on_loss
};

/// What a client does when the broker turns it away (POISON).
enum class WhenRefused {
    retry,  ///< tries on: mostly the broker has not yet noticed that our last connection is gone
    stop,   ///< stops, as the original does
};

/// Whether stamps are corrected by the measured skew between the broker's clock and ours.
enum class SkewCorrection {
    automatic,  ///< unless the broker runs on this machine (see ClientOptions::hostname)
    on,
    off,
};

/// How much a queue may hold, and what it does with more.
struct QueueLimit {
    std::size_t messages = 65536;
    std::size_t bytes = 16_MiB;
    WhenFull when_full = WhenFull::drop_oldest;
};

struct ClientOptions {
    std::string name{};  ///< under which the broker knows this client; not empty, one of a kind
    Address broker = Address::ip("127.0.0.1", 9000);

    CommsMode mode = CommsMode::asynchronous;
    double comms_tick = 5;  ///< Hz, in [0.5, 200]; synchronous mode only

    /// What was notified and is not yet handed to the network.
    QueueLimit outbox{.when_full = WhenFull::refuse};
    OnLoss on_loss = OnLoss::keep;
    /// Each queue of mail, and the answer to a server request.
    QueueLimit inbox{};
    std::size_t max_message = 64_MiB;       ///< bytes of one message from the broker
    std::size_t max_requests = 64;          ///< server requests that wait for their answer
    std::size_t max_registrations = 65536;  ///< variables and wildcards

    Duration connect_limit = std::chrono::seconds(5);     ///< for the connection to stand
    Duration handshake_limit = std::chrono::seconds(10);  ///< then for the broker's welcome
    /// A broker of which nothing was heard for so long is taken for lost: it echoes our heartbeat
    /// every second. In synchronous mode the limit for its answer to a packet.
    Duration silence_limit = std::chrono::seconds(5);
    WhenRefused when_refused = WhenRefused::retry;

    /// This machine's name, read in platform. Empty: a loopback address counts as this machine.
    std::string hostname{};
    SkewCorrection correct_skew = SkewCorrection::automatic;
    /// For stamps on messages; must outlive the client. Null: the loop's clock.
    const Clock* stamps = nullptr;
    /// Stamp at the time warp that the broker's welcome shows, if it is a whole number. For tools, which have
    /// no mission file; `stamps` is null then.
    bool adopt_warp = false;

    std::uint64_t seed = 0;  ///< with the name it decides the jitter between attempts
};

}  // namespace caribou::bus
