#include "sim/stalling_network.hpp"

#include <utility>

namespace caribou::sim {

class StallingNetwork::StallingStream final : public Stream {
public:
    StallingStream(StallingNetwork& network, std::unique_ptr<Stream> below)
        : network_(network), below_(std::move(below)) {
        network_.streams_.insert(this);
        apply();
    }
    ~StallingStream() override { network_.streams_.erase(this); }

    void apply() { below_->set_reading(reading_ && !network_.stalled()); }

    void attach(StreamEvents& events) override { below_->attach(events); }
    Result<std::size_t> read(std::span<std::byte> into) override { return below_->read(into); }
    Result<std::size_t> write(std::span<const ByteView> pieces) override { return below_->write(pieces); }
    void set_reading(bool reading) override {
        reading_ = reading;
        apply();
    }
    std::string peer() const override { return below_->peer(); }

private:
    StallingNetwork& network_;
    std::unique_ptr<Stream> below_;
    bool reading_ = true;
};

Result<std::unique_ptr<Listener>> StallingNetwork::listen(const Address& at, AcceptHandler on_accept) {
    return below_.listen(at, std::move(on_accept));
}

std::unique_ptr<Stream> StallingNetwork::connect(const Address& to, StreamEvents& events) {
    return std::make_unique<StallingStream>(*this, below_.connect(to, events));
}

Result<std::unique_ptr<Datagram>> StallingNetwork::bind(const Address& at, Task on_packet) {
    return below_.bind(at, std::move(on_packet));
}

void StallingNetwork::stall(bool stalled) {
    stalled_ = stalled;
    for (StallingStream* stream : streams_) stream->apply();
}

}  // namespace caribou::sim
