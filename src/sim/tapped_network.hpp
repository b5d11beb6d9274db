#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "base/ids.hpp"
#include "loop/network.hpp"

namespace caribou::sim {

/// One stream of a TappedNetwork; numbers are not used again.
using StreamNumber = Id<struct StreamTag>;

/// Hears what passes through the streams of a TappedNetwork.
class StreamTap {
public:
    /// The stream's owner has just read these bytes, and has done nothing about them yet.
    virtual void on_read(StreamNumber stream, ByteView bytes) = 0;
    /// The network has just taken these bytes from the stream's owner.
    virtual void on_written(StreamNumber stream, ByteView bytes) = 0;
    /// The owner has destroyed the stream.
    virtual void on_gone(StreamNumber stream) = 0;

protected:
    ~StreamTap() = default;
};

/// Hands everything on to another network and lets a tap hear the bytes of every stream. Network
/// and tap outlive it and all that it made.
class TappedNetwork final : public Network {
public:
    TappedNetwork(Network& below, StreamTap& tap) : below_(below), tap_(tap) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

private:
    std::unique_ptr<Stream> tapped(std::unique_ptr<Stream> stream);

    Network& below_;
    StreamTap& tap_;
    std::uint64_t streams_ = 0;
};

}  // namespace caribou::sim
