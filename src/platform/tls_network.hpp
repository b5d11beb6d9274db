#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "link/failed_attempts.hpp"
#include "link/key_lookup.hpp"
#include "link/secured_network.hpp"
#include "platform/tls_engine.hpp"
#include "platform/turn_budget.hpp"

namespace caribou {

struct TlsLimits {
    Duration handshake = std::chrono::seconds(5);
    /// Handshakes under way. One more, and the one that has taken longest is dropped: whoever is quick gets
    /// in, however many are slow.
    std::size_t handshakes = 256;
    /// Steps of handshakes in one turn of the loop; each takes a fraction of a millisecond.
    int steps_per_turn = 4;
    link::FailedAttempts::Limits attempts{};
};

/// Streams of another network, secured by keys that both ends share. Every stream that it hands out is a
/// link::SecuredStream whose other end has proven its key. What was refused is logged once a row and counted.
/// Loop, network below and log outlive it, and it outlives what it made.
class TlsNetwork final : public link::SecuredNetwork {
public:
    struct Options {
        link::KeyLookup keys{};                    ///< whom to let in; for who listens
        std::optional<link::SecretKey> own_key{};  ///< for who connects
        /// Hears of each that is refused, and why. Empty: nobody does.
        std::function<void(const std::string&)> on_refused{};
        TlsLimits limits{};
    };
    struct Counts {
        std::uint64_t let_in = 0;
        std::uint64_t refused = 0;
    };

    TlsNetwork(Loop& loop, Network& below, Log& log, Options options);

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    /// With the own key.
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    std::unique_ptr<link::SecuredStream> connect(const Address& to, const link::SecretKey& key,
                                                 StreamEvents& events) override;
    /// Always fails: datagrams have a seal of their own, link/datagram_seal.hpp.
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    const Counts& counts() const { return counts_; }

private:
    class TlsListener;

    Loop& loop_;
    Network& below_;
    Log& log_;
    Options options_;
    TlsContext context_;
    TurnBudget budget_;
    link::FailedAttempts attempts_;
    Counts counts_;
};

}  // namespace caribou
