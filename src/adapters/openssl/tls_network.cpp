#include "adapters/openssl/tls_network.hpp"

#include <list>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "adapters/openssl/tls_stream.hpp"
#include "base/check.hpp"

namespace caribou {
namespace {

/// Returns the peer without its port, which differs for each connection.
std::string host_of(const std::string& peer) {
    const auto address = Address::parse(peer);
    return address ? address->host : peer;
}

/// Failures are counted per host and key, so that other peers on the same host are not affected.
std::string name_of(const std::string& host, std::optional<link::KeyId> key) {
    return key ? fmt::format("{} with key {}", host, to_string(*key)) : host;
}

}  // namespace

/// Holds the connections whose handshake is not complete.
class TlsNetwork::TlsListener final : public Listener {
public:
    TlsListener(TlsNetwork& network, AcceptHandler on_accept)
        : network_(network), on_accept_(std::move(on_accept)) {}

    Result<void> open(const Address& at) {
        auto below = network_.below_.listen(
            at, [this](std::unique_ptr<Stream> stream) { newcomer(std::move(stream)); });
        if (!below) return fail(std::move(below.error()));
        below_ = std::move(*below);
        return {};
    }
    Address address() const override { return below_->address(); }
    void begin_close() override { below_->begin_close(); }
    bool has_pending() const override { return !newcomers_.empty() || below_->has_pending(); }

private:
    struct Newcomer final : StreamEvents {
        TlsListener& listener;
        std::list<Newcomer>::iterator place;
        std::string host;
        std::unique_ptr<TlsStream> stream;

        explicit Newcomer(TlsListener& its) : listener(its) {}
        void on_open() override { listener.let_in(*this); }
        void on_readable() override {}
        void on_writable() override {}
        void on_connect_failed(const Error& why) override { listener.refuse(*this, why); }
    };

    void newcomer(std::unique_ptr<Stream> below) {
        if (newcomers_.size() >= network_.options_.limits.handshakes)
            refuse(newcomers_.front(),
                   {Code::limit_exceeded, "too many are connecting at once, and it was the slowest"});
        Newcomer& one = newcomers_.emplace_back(*this);
        one.place = std::prev(newcomers_.end());
        one.host = host_of(below->peer());
        // Failures with a key id do not block its owner: a peer that proves the key is admitted.
        auto engine = TlsEngine::server(network_.context_, network_.options_.keys);
        one.stream = TlsStream::accept(network_.loop_, std::move(below), std::move(engine),
                                       network_.options_.limits.handshake, &network_.budget_, one);
    }

    void let_in(const Newcomer& newcomer) {
        std::unique_ptr<TlsStream> stream = std::move(newcomer.place->stream);
        network_.attempts_.succeeded(name_of(newcomer.host, stream->key()));
        ++network_.counts_.let_in;
        newcomers_.erase(newcomer.place);
        stream->silence();
        on_accept_(std::move(stream));
    }

    void refuse(const Newcomer& newcomer, const Error& why) {
        ++network_.counts_.refused;
        const std::string who = name_of(newcomer.host, newcomer.stream->claimed_key());
        const std::string text = fmt::format("{} was refused: {}", who, why.message);
        if (network_.attempts_.failed(who, network_.loop_.clock().now())) network_.log_.warning(text);
        if (network_.options_.on_refused) network_.options_.on_refused(text);
        newcomers_.erase(newcomer.place);
    }

    TlsNetwork& network_;
    AcceptHandler on_accept_;
    std::list<Newcomer> newcomers_;
    /// destroyed first, so that no connection is accepted during destruction
    std::unique_ptr<Listener> below_;
};

TlsNetwork::TlsNetwork(Loop& loop, Network& below, Log& log, Options options)
    : loop_(loop),
      below_(below),
      log_(log),
      options_(std::move(options)),
      budget_(loop, options_.limits.steps_per_turn),
      attempts_(options_.limits.attempts) {}

Result<std::unique_ptr<Listener>> TlsNetwork::listen(const Address& at, AcceptHandler on_accept) {
    check(static_cast<bool>(options_.keys), "who listens knows whom to let in");
    auto listener = std::make_unique<TlsListener>(*this, std::move(on_accept));
    if (auto opened = listener->open(at); !opened) return fail(std::move(opened.error()));
    return listener;
}

std::unique_ptr<Stream> TlsNetwork::connect(const Address& to, StreamEvents& events) {
    check(options_.own_key.has_value(), "who connects has a key");
    return connect(to, *options_.own_key, events);
}

std::unique_ptr<link::SecuredStream> TlsNetwork::connect(const Address& to, const link::SecretKey& key,
                                                         StreamEvents& events) {
    return TlsStream::connect(loop_, below_, to, TlsEngine::client(context_, key), options_.limits.handshake,
                              &budget_, events);
}

Result<std::unique_ptr<Datagram>> TlsNetwork::bind(const Address&, Task) {
    return fail(Code::unavailable, "TLS carries streams; datagrams are sealed on their own");
}

}  // namespace caribou
