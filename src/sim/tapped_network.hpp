#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/ids.hpp"
#include "loop/network.hpp"

namespace caribou::sim {

/// Number of a stream of a TappedNetwork; never reused.
using StreamNumber = Id<struct StreamTag>;

/// Receives the bytes that pass through the streams of a TappedNetwork.
class StreamTap {
public:
    /// The stream's owner has read these bytes, but has not processed them yet.
    virtual void on_read(StreamNumber stream, ByteView bytes) = 0;
    /// The network has accepted these bytes from the stream's owner.
    virtual void on_written(StreamNumber stream, ByteView bytes) = 0;
    /// The owner has destroyed the stream.
    virtual void on_gone(StreamNumber stream) = 0;

protected:
    ~StreamTap() = default;
};

/// Receives the datagrams of a TappedNetwork.
class DatagramTap {
public:
    /// The owner sends a datagram. Returns datagrams that an attacker on the path sends after it, with the
    /// same source.
    virtual std::vector<Bytes> on_sent(const Address& to, ByteView packet) = 0;
    /// The owner has read a datagram, but has not processed it yet; it has processed all earlier ones.
    virtual void on_received(ByteView packet) = 0;

protected:
    ~DatagramTap() = default;
};

/// A decorator for a network that shows the bytes of every stream, and all datagrams, to taps. A
/// link::SecuredStream remains one. The underlying network and the taps must outlive this object and
/// everything it creates.
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
    StreamTap* tap_;                  ///< null: streams are not tapped
    DatagramTap* packets_ = nullptr;  ///< null: datagrams are not tapped
    std::uint64_t streams_ = 0;
};

}  // namespace caribou::sim
