#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou {

/// Hears what happens to a stream. Every call comes from the loop, never from inside a call on the
/// stream. Any of them may destroy the stream.
class StreamEvents {
public:
    /// A stream made by Network::connect now stands.
    virtual void on_open() {}
    /// read() has something: bytes, the end, or an error. Comes again, turn after turn, while
    /// anything is left.
    virtual void on_readable() = 0;
    /// After a write() that took less than it was offered: there is room again.
    virtual void on_writable() = 0;
    /// Network::connect failed. The last call on this stream.
    virtual void on_connect_failed(const Error& why) { static_cast<void>(why); }

protected:
    ~StreamEvents() = default;
};

/// Bytes both ways, in order. Never blocks. Destroying it closes it; no event follows.
class Stream {
public:
    virtual ~Stream() = default;
    /// Who hears this stream's events from now on. An accepted stream is silent until then.
    virtual void attach(StreamEvents& events) = 0;
    /// Takes what has arrived, at most into.size(). 0: nothing at present. Code::closed: the other
    /// side has ended its sending. Other codes: the connection is lost.
    virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    /// Hands over the pieces in order and returns how many bytes were taken. Fewer than offered
    /// (even 0): on_writable follows when there is room.
    virtual Result<std::size_t> write(std::span<const ByteView> pieces) = 0;
    /// While false, on_readable is not called and the other side will find its way blocked.
    virtual void set_reading(bool reading) = 0;
    /// The other end, for people.
    virtual std::string peer() const = 0;
};

}  // namespace caribou
