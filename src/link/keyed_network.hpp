#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/random.hpp"
#include "link/key_lookup.hpp"
#include "link/secured_network.hpp"

namespace caribou::link {

/// Streams of another network whose two ends prove a key to each other, and do nothing more: what goes over
/// them is as open as it is below. For tests and simulations, which want to know who is let in, at a
/// fraction of what TLS costs. The network below outlives it, and it outlives what it made.
class KeyedNetwork final : public SecuredNetwork {
public:
    /// What who listens says to whoever names one of its keys; nobody hears more without a proof.
    static constexpr std::size_t reply_size = 8 + SecretKey::size;

    struct Options {
        KeyLookup keys{};                    ///< whom to let in; for who listens
        std::optional<SecretKey> own_key{};  ///< for who connects
        std::uint64_t seed = 0;              ///< of what makes each connection another one
    };

    KeyedNetwork(Network& below, Options options)
        : below_(below), options_(std::move(options)), random_(options_.seed) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    /// With the own key.
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    std::unique_ptr<SecuredStream> connect(const Address& to, const SecretKey& key,
                                           StreamEvents& events) override;
    /// As below.
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
