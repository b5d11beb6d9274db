#pragma once

#include <cstdint>
#include <vector>

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

/// Hears the packets of a TappedNetwork.
class DatagramTap {
public:
    /// The owner sends it. Returns what somebody on the way sends behind it, as if it came from there, too.
    virtual std::vector<Bytes> on_sent(const Address& to, ByteView packet) = 0;
    /// The owner has just read it, and has done nothing about it yet; what came before is done with.
    virtual void on_received(ByteView packet) = 0;

protected:
    ~DatagramTap() = default;
};

/// Hands everything on to another network and lets taps hear the bytes of every stream, and the packets. A
/// stream that is a link::SecuredStream stays one. Network and taps outlive it and all that it made.
class TappedNetwork final : public Network {
public:
    TappedNetwork(Network& below, StreamTap& tap) : below_(below), tap_(&tap) {}
    TappedNetwork(Network& below, DatagramTap& packets, StreamTap* streams = nullptr)
        : below_(below), tap_(streams), packets_(&packets) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

private:
    std::unique_ptr<Stream> tapped(std::unique_ptr<Stream> stream);

    Network& below_;
    StreamTap* tap_;                  ///< null: nobody hears streams
    DatagramTap* packets_ = nullptr;  ///< null: nobody hears packets
    std::uint64_t streams_ = 0;
};

}  // namespace caribou::sim
