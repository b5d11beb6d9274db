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

/// Accepts streams for as long as it lives.
class Listener {
public:
    virtual ~Listener() = default;
    /// Where it really listens: the port is the one that was given.
    virtual Address address() const = 0;
    /// Lets no further connection begin, as far as the transport can. Those that have begun are still
    /// accepted.
    virtual void begin_close() {}
    /// Whether connections have begun that were not handed to the AcceptHandler yet.
    virtual bool has_pending() const { return false; }
};

using AcceptHandler = std::move_only_function<void(std::unique_ptr<Stream>)>;

/// Packets that may be lost, doubled or overtaken. Destroying it closes it; no event follows.
class Datagram {
public:
    struct Received {
        Address from;
        std::size_t size;  ///< bytes stored; a packet that was larger than the room is cut
    };

    virtual ~Datagram() = default;
    virtual Address address() const = 0;
    virtual Result<void> send(const Address& to, ByteView packet) = 0;
    /// The next packet, or nothing at present.
    virtual Result<std::optional<Received>> receive(std::span<std::byte> into) = 0;
};

/// Makes everything that carries bytes, on one loop. The real one stands in platform; the one in
/// memory, which can also misbehave from a seed, is loop/memory_network.hpp.
class Network {
public:
    virtual ~Network() = default;
    virtual Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) = 0;
    /// Starts to connect; the stream is attached to `events`, which hears on_open or
    /// on_connect_failed. Destroying the stream gives up.
    virtual std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) = 0;
    /// `on_packet` is called when receive() has something, again while anything is left.
    virtual Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) = 0;
};

}  // namespace caribou
