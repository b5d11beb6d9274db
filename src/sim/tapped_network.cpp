#include "sim/tapped_network.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "link/secured_network.hpp"

namespace caribou::sim {
namespace {

/// Wraps a stream or a secured stream.
template <class Kind>
class TappedStream : public Kind {
public:
    TappedStream(std::unique_ptr<Stream> below, StreamTap& tap, StreamNumber number)
        : below_(std::move(below)), tap_(tap), number_(number) {}
    ~TappedStream() override { tap_.on_gone(number_); }

    void attach(StreamEvents& events) override { below_->attach(events); }

    Result<std::size_t> read(std::span<std::byte> into) override {
        auto size = below_->read(into);
        if (size && *size > 0) tap_.on_read(number_, into.first(*size));
        return size;
    }

    Result<std::size_t> write(std::span<const ByteView> pieces) override {
        auto taken = below_->write(pieces);
        std::size_t left = taken.value_or(0);
        for (const ByteView piece : pieces) {
            const ByteView part = piece.first(std::min(piece.size(), left));
            left -= part.size();
            if (!part.empty()) tap_.on_written(number_, part);
        }
        return taken;
    }

    void set_reading(bool reading) override { below_->set_reading(reading); }
    std::string peer() const override { return below_->peer(); }

protected:
    const Stream& below() const { return *below_; }

private:
    std::unique_ptr<Stream> below_;
    StreamTap& tap_;
    StreamNumber number_;
};

class TappedSecuredStream final : public TappedStream<link::SecuredStream> {
public:
    using TappedStream::TappedStream;
    link::KeyId key() const override { return link::secured(below())->key(); }
    link::SecretKey derive(std::string_view purpose) const override {
        return link::secured(below())->derive(purpose);
    }
};

class TappedDatagram final : public Datagram {
public:
    TappedDatagram(std::unique_ptr<Datagram> below, DatagramTap& tap) : below_(std::move(below)), tap_(tap) {}

    Address address() const override { return below_->address(); }
    Result<void> send(const Address& to, ByteView packet) override {
        const std::vector<Bytes> more = tap_.on_sent(to, packet);
        auto sent = below_->send(to, packet);
        for (const Bytes& each : more) std::ignore = below_->send(to, each);
        return sent;
    }
    Result<std::optional<Received>> receive(std::span<std::byte> into) override {
        auto received = below_->receive(into);
        if (received && *received) tap_.on_received(into.first((*received)->size));
        return received;
    }

private:
    std::unique_ptr<Datagram> below_;
    DatagramTap& tap_;
};

}  // namespace

std::unique_ptr<Stream> TappedNetwork::tapped(std::unique_ptr<Stream> stream) {
    const StreamNumber number{++streams_};
    if (tap_ == nullptr) return stream;
    if (link::secured(*stream))
        return std::make_unique<TappedSecuredStream>(std::move(stream), *tap_, number);
    return std::make_unique<TappedStream<Stream>>(std::move(stream), *tap_, number);
}

Result<std::unique_ptr<Listener>> TappedNetwork::listen(const Address& at, AcceptHandler on_accept) {
    return below_.listen(at,
                         [this, on_accept = std::move(on_accept)](std::unique_ptr<Stream> stream) mutable {
                             on_accept(tapped(std::move(stream)));
                         });
}

std::unique_ptr<Stream> TappedNetwork::connect(const Address& to, StreamEvents& events) {
    return tapped(below_.connect(to, events));
}

Result<std::unique_ptr<Datagram>> TappedNetwork::bind(const Address& at, Task on_packet) {
    auto bound = below_.bind(at, std::move(on_packet));
    if (!bound || packets_ == nullptr) return bound;
    return std::make_unique<TappedDatagram>(std::move(*bound), *packets_);
}

}  // namespace caribou::sim
