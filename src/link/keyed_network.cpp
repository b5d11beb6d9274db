#include "link/keyed_network.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <string>
#include <utility>

#include "base/check.hpp"

namespace caribou::link {
namespace {

// The client sends the key id and a nonce; the server replies with a nonce and a proof over both; the client
// sends its own proof. Replayed bytes are therefore useless.
constexpr std::size_t reply_size = KeyedNetwork::reply_size;
constexpr std::size_t fresh_size = reply_size - SecretKey::size;
constexpr std::size_t hello_size = sizeof(KeyId::value) + fresh_size;
constexpr std::size_t proof_size = SecretKey::size;

SecretKey proof_of(const SecretKey& key, std::string_view who, ByteView fresh) {
    return key.derive(who == "dials" ? "caribou keyed dials" : "caribou keyed listens", fresh);
}

bool proves(ByteView bytes, const SecretKey& proof) {
    return proof == SecretKey(bytes.first<SecretKey::size>());
}

Bytes with_proof(Bytes bytes, const SecretKey& proof) {
    append(bytes, proof.bytes());
    return bytes;
}

/// Reads the missing bytes of a handshake message, and never more. Returns false if they are not complete
/// yet.
Result<bool> fill(Stream& from, Bytes& bytes, std::size_t size) {
    std::array<std::byte, std::max({hello_size, reply_size, proof_size})> room;
    const auto got = from.read(std::span(room).first(size - bytes.size()));
    if (!got) return fail(got.error());
    append(bytes, ByteView(room).first(*got));
    return bytes.size() == size;
}

bool say(Stream& to, const Bytes& bytes) {
    const ByteView piece = bytes;
    const auto taken = to.write({&piece, 1});
    return taken && *taken == piece.size();
}

class KeyedStream final : public SecuredStream, private StreamEvents {
public:
    /// The accepting end, after the handshake.
    KeyedStream(std::unique_ptr<Stream> below, const SecretKey& key, Bytes fresh)
        : key_(key), fresh_(std::move(fresh)), stands_(true), below_(std::move(below)) {}
    /// The connecting end.
    KeyedStream(Network& network, const Address& to, const SecretKey& key, Bytes fresh, StreamEvents& events)
        : key_(key), fresh_(std::move(fresh)), events_(&events), below_(network.connect(to, *this)) {}

    void attach(StreamEvents& events) override {
        events_ = &events;
        if (!stands_) return;
        below_->attach(events);
        below_->set_reading(true);
    }
    Result<std::size_t> read(std::span<std::byte> into) override {
        return stands_ ? below_->read(into) : Result<std::size_t>(0);
    }
    Result<std::size_t> write(std::span<const ByteView> pieces) override {
        return stands_ ? below_->write(pieces) : Result<std::size_t>(0);
    }
    void set_reading(bool reading) override { below_->set_reading(reading); }
    std::string peer() const override { return below_->peer(); }
    KeyId key() const override { return id_of(key_); }
    SecretKey derive(std::string_view purpose) const override { return key_.derive(purpose, fresh_); }

private:
    void on_open() override {
        Bytes hello;
        append_le(hello, id_of(key_).value);
        append(hello, fresh_);
        say(*below_, hello);
    }
    void on_readable() override {
        const auto filled = fill(*below_, reply_, reply_size);
        if (!filled)
            return on_connect_failed({Code::refused,
                                      "the other side does not have this key, or has another "
                                      "one under the same id"});
        if (!*filled) return;
        append(fresh_, ByteView(reply_).first(fresh_size));
        if (!proves(ByteView(reply_).subspan(fresh_size), proof_of(key_, "listens", fresh_)))
            return on_connect_failed({Code::refused, "the other side does not hold the key"});
        say(*below_, with_proof({}, proof_of(key_, "dials", fresh_)));
        stands_ = true;
        below_->attach(*events_);
        events_->on_open();
    }
    void on_writable() override {}
    void on_connect_failed(const Error& why) override {
        below_->set_reading(false);
        // a copy, because the stream may be destroyed before the handler has read it
        events_->on_connect_failed(Error(why));
    }

    SecretKey key_;
    Bytes fresh_;
    Bytes reply_;
    bool stands_ = false;
    StreamEvents* events_ = nullptr;
    std::unique_ptr<Stream> below_;
};

Bytes fresh_bytes(Random& random) {
    Bytes bytes;
    append_le(bytes, random.next());
    return bytes;
}

}  // namespace

/// Holds the connections whose handshake is not complete.
class KeyedNetwork::KeyedListener final : public Listener {
public:
    KeyedListener(KeyedNetwork& network, AcceptHandler on_accept)
        : network_(network), on_accept_(std::move(on_accept)) {}

    Result<void> open(const Address& at) {
        auto below = network_.below_.listen(at, [this](std::unique_ptr<Stream> stream) {
            if (newcomers_.size() == max_newcomers) newcomers_.pop_front();
            Newcomer& one = newcomers_.emplace_back(*this, std::move(stream));
            one.place = std::prev(newcomers_.end());
            one.stream->attach(one);
        });
        if (!below) return fail(std::move(below.error()));
        below_ = std::move(*below);
        return {};
    }
    Address address() const override { return below_->address(); }

private:
    static constexpr std::size_t max_newcomers = 256;

    struct Newcomer final : StreamEvents {
        Newcomer(KeyedListener& its, std::unique_ptr<Stream> below)
            : listener(its), stream(std::move(below)) {}
        void on_readable() override { listener.hear(*this); }
        void on_writable() override {}

        KeyedListener& listener;
        std::unique_ptr<Stream> stream;
        std::list<Newcomer>::iterator place{};
        Bytes word;                      ///< being sent
        std::optional<SecretKey> key{};  ///< the key to be proved; nullopt before the greeting
        Bytes fresh{};
    };

    void hear(Newcomer& one) {
        const auto filled = fill(*one.stream, one.word, one.key ? proof_size : hello_size);
        if (filled && (!*filled || (!one.key && greet(one)))) return;
        auto accepted = filled && one.key ? let_in(one) : nullptr;
        if (!accepted) ++network_.refused_;
        newcomers_.erase(one.place);
        if (accepted) on_accept_(std::move(accepted));
    }

    /// Returns false if the key id is unknown.
    bool greet(Newcomer& one) {
        const ByteView hello = one.word;
        const auto key = network_.options_.keys({load_le<std::uint64_t>(hello.data())});
        if (!key) return false;
        append(one.fresh, hello.last(fresh_size));
        const Bytes own = fresh_bytes(network_.random_);
        append(one.fresh, own);
        if (!say(*one.stream, with_proof(own, proof_of(*key, "listens", one.fresh)))) return false;
        one.key = *key;
        one.word.clear();
        return true;
    }

    std::unique_ptr<Stream> let_in(Newcomer& one) {
        if (!proves(one.word, proof_of(*one.key, "dials", one.fresh))) return nullptr;
        one.stream->set_reading(false);
        return std::make_unique<KeyedStream>(std::move(one.stream), *one.key, std::move(one.fresh));
    }

    KeyedNetwork& network_;
    AcceptHandler on_accept_;
    std::list<Newcomer> newcomers_;
    /// destroyed first, so that no connection is accepted during destruction
    std::unique_ptr<Listener> below_;
};

Result<std::unique_ptr<Listener>> KeyedNetwork::listen(const Address& at, AcceptHandler on_accept) {
    check(static_cast<bool>(options_.keys), "who listens knows whom to let in");
    auto listener = std::make_unique<KeyedListener>(*this, std::move(on_accept));
    if (auto opened = listener->open(at); !opened) return fail(std::move(opened.error()));
    return listener;
}

std::unique_ptr<Stream> KeyedNetwork::connect(const Address& to, StreamEvents& events) {
    check(options_.own_key.has_value(), "who connects has a key");
    return connect(to, *options_.own_key, events);
}

std::unique_ptr<SecuredStream> KeyedNetwork::connect(const Address& to, const SecretKey& key,
                                                     StreamEvents& events) {
    return std::make_unique<KeyedStream>(below_, to, key, fresh_bytes(random_), events);
}

}  // namespace caribou::link
