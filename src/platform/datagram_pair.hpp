#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "platform/descriptor.hpp"

// Private to platform.

namespace caribou {

/// One end of a socket pair of the kind SOCK_SEQPACKET, which carries datagrams and descriptors. Nothing
/// blocks.
class DatagramEnd {
public:
    DatagramEnd() = default;
    explicit DatagramEnd(Descriptor socket) : socket_(std::move(socket)) {}

    /// Both ends are closed on exec.
    static Result<std::array<DatagramEnd, 2>> make_pair();

    int descriptor() const { return socket_.get(); }
    explicit operator bool() const { return static_cast<bool>(socket_); }

    /// Sends the datagram, with a copy of the descriptor unless that is negative. Code::busy: the other end
    /// does not read. Code::closed: it is gone.
    Result<void> send(ByteView datagram, int passed = -1) const;

    struct Received {
        ByteView datagram;    ///< until the next call
        Descriptor passed{};  ///< closed on exec
    };
    /// Returns nullopt if nothing has arrived. Code::closed: the other end is gone. Code::malformed: the
    /// datagram is larger than expected, and was dropped.
    Result<std::optional<Received>> receive();

private:
    Descriptor socket_;
    std::array<std::byte, 1024> room_{};
};

}  // namespace caribou
