#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou {

/// Receives the events of a stream. All calls come from the loop, never from inside a call on the stream.
/// Each of them may destroy the stream.
class StreamEvents {
public:
    /// Called when a stream created by Network::connect is established.
    virtual void on_open() {}
    /// Called when read() has something: bytes, the end of the stream, or an error. Repeated every turn while
    /// anything is left.
    virtual void on_readable() = 0;
    /// Called when there is room again, after a write() accepted less than it was offered.
    virtual void on_writable() = 0;
    /// Called when Network::connect failed. The last call for this stream.
    virtual void on_connect_failed(const Error& why) { static_cast<void>(why); }

protected:
    ~StreamEvents() = default;
};

/// A bidirectional, ordered byte stream. Never blocks. Destroying it closes it; no event follows.
class Stream {
public:
    virtual ~Stream() = default;
    /// Sets the receiver of this stream's events. An accepted stream delivers none until then.
    virtual void attach(StreamEvents& events) = 0;
    /// Reads up to into.size() bytes and returns their number, or 0 if nothing is available now. Fails with
    /// Code::closed when the peer has ended its sending direction, with other codes when the connection is
    /// lost.
    virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    /// Writes the pieces in order and returns the number of bytes accepted. If that is fewer than offered
    /// (possibly 0), on_writable follows when there is room.
    virtual Result<std::size_t> write(std::span<const ByteView> pieces) = 0;
    /// While false, on_readable is not called, and the peer is eventually blocked by flow control.
    virtual void set_reading(bool reading) = 0;
    /// Returns the address of the other end, for messages.
    virtual std::string peer() const = 0;
};

}  // namespace caribou
