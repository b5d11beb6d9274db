#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "adapters/openssl/tls_engine.hpp"
#include "base/log.hpp"
#include "link/failed_attempts.hpp"
#include "link/key_lookup.hpp"
#include "link/secured_network.hpp"
#include "platform/turn_budget.hpp"

namespace caribou {

/// Limits on peers that have not authenticated yet.
struct TlsLimits {
    Duration handshake = std::chrono::seconds(5);
    /// Limit of handshakes in progress. Beyond it the oldest is dropped, so that slow peers cannot block fast
    /// ones.
    std::size_t handshakes = 256;
    /// Handshake steps per turn of the loop; each takes a fraction of a millisecond.
    int steps_per_turn = 4;
    link::FailedAttempts::Limits attempts{};
};

/// Streams of another network, secured by pre-shared keys. All its streams are link::SecuredStreams whose
/// peer has proved its key. Refusals are counted, and logged once per series. Loop, underlying network and
/// log must outlive this object, which must outlive everything it creates.
class TlsNetwork final : public link::SecuredNetwork {
public:
    struct Options {
        link::KeyLookup keys{};                    ///< permitted keys, for listening
        std::optional<link::SecretKey> own_key{};  ///< for connecting
        /// Called with the reason of each refusal; may be empty.
        std::function<void(const std::string&)> on_refused{};
        TlsLimits limits{};
    };
    /// Number of handshakes since the start, by result.
    struct Counts {
        std::uint64_t let_in = 0;
        std::uint64_t refused = 0;
    };

    TlsNetwork(Loop& loop, Network& below, Log& log, Options options);

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    /// Connects with own_key.
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    std::unique_ptr<link::SecuredStream> connect(const Address& to, const link::SecretKey& key,
                                                 StreamEvents& events) override;
    /// Always fails: datagrams are secured separately, in link/datagram_seal.hpp.
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
