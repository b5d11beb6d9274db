#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/random.hpp"
#include "link/key_lookup.hpp"
#include "link/secured_network.hpp"

namespace caribou::link {

/// Streams of another network whose two ends prove a key to each other. Does NOT encrypt. For tests and
/// simulations of access control, at a fraction of the cost of TLS. The underlying network must outlive this
/// object, which must outlive everything it creates.
class KeyedNetwork final : public SecuredNetwork {
public:
    /// Size of the listener's reply to a known key id. Unauthenticated peers receive nothing else.
    static constexpr std::size_t reply_size = 8 + SecretKey::size;

    struct Options {
        KeyLookup keys{};                    ///< permitted keys, for listening
        std::optional<SecretKey> own_key{};  ///< for connecting
        std::uint64_t seed = 0;              ///< of the nonces
    };

    KeyedNetwork(Network& below, Options options)
        : below_(below), options_(std::move(options)), random_(options_.seed) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    /// Connects with own_key.
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    std::unique_ptr<SecuredStream> connect(const Address& to, const SecretKey& key,
                                           StreamEvents& events) override;
    /// Forwarded without protection.
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override {
        return below_.bind(at, std::move(on_packet));
    }

    std::uint64_t refused() const { return refused_; }

private:
    class KeyedListener;

    Network& below_;
    Options options_;
    Random random_;
    std::uint64_t refused_ = 0;
};

}  // namespace caribou::link
