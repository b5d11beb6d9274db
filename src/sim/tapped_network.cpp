#include "sim/tapped_network.hpp"

#include <algorithm>
#include <utility>

namespace caribou::sim {
namespace {

class TappedStream final : public Stream {
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

private:
    std::unique_ptr<Stream> below_;
    StreamTap& tap_;
    StreamNumber number_;
};

}  // namespace

std::unique_ptr<Stream> TappedNetwork::tapped(std::unique_ptr<Stream> stream) {
    return std::make_unique<TappedStream>(std::move(stream), tap_, StreamNumber{++streams_});
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
    return below_.bind(at, std::move(on_packet));
}

}  // namespace caribou::sim
