#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/address.hpp"
#include "loop/loop.hpp"
#include "loop/stream.hpp"

namespace caribou {

/// Accepts streams until it is destroyed.
class Listener {
public:
    virtual ~Listener() = default;
    /// Returns the actual address. If port 0 was requested, it contains the assigned port.
    virtual Address address() const = 0;
    /// Lets no further connection begin, as far as the transport can. Those that have begun are still
    /// accepted.
    virtual void begin_close() {}
    /// Whether connections have begun that were not handed to the AcceptHandler yet.
    virtual bool has_pending() const { return false; }
};

using AcceptHandler = std::move_only_function<void(std::unique_ptr<Stream>)>;

/// A datagram socket: packets may be lost, duplicated or reordered. Destroying it closes it; no event
/// follows.
class Datagram {
public:
    struct Received {
        Address from;
        std::size_t size;  ///< bytes stored; a packet larger than the buffer is truncated
    };

    virtual ~Datagram() = default;
    virtual Address address() const = 0;
    /// Sends a packet. Success does not imply delivery. Fails if the packet is too large or the address is
    /// invalid.
    virtual Result<void> send(const Address& to, ByteView packet) = 0;
    /// Returns the next packet, or nullopt if none is waiting.
    virtual Result<std::optional<Received>> receive(std::span<std::byte> into) = 0;
};

/// Creates listeners, streams and datagram sockets on one loop. The real implementation is in platform; the
/// one in memory, which can also simulate faults from a seed, is loop/memory_network.hpp.
class Network {
public:
    virtual ~Network() = default;
    /// Listens at an address, and calls `on_accept` from the loop for each new stream. Fails if the address
    /// is in use.
    virtual Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) = 0;
    /// Starts to connect. `events` is attached to the returned stream and receives on_open or
    /// on_connect_failed. Destroying the stream cancels the attempt.
    virtual std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) = 0;
    /// Calls `on_packet` when receive() has a packet, and again while any are left. Joins the group if the
    /// host is an IPv4 multicast address, which several sockets of a machine may do.
    virtual Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) = 0;
};

}  // namespace caribou
