#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "wire/message.hpp"

namespace caribou::wire {

/// Cuts a stream of bytes into packets and messages. It holds no bytes itself: the caller offers
/// what it has, drops what was consumed, and offers the rest again with more behind it. A packet
/// is read message by message, so that its size needs no limit; a message has one.
class PacketReader {
public:
    explicit PacketReader(std::size_t max_message) : max_message_(max_message) {}

    struct Step {
        enum class Kind {
            need_more,   ///< nothing can be done with fewer than `wanted` bytes
            packet,      ///< a packet begins
            message,     ///< `message`, whose bytes are `raw`
            packet_end,  ///< all of the packet's messages have been seen
        };
        Kind kind;
        std::size_t consumed = 0;
        std::size_t wanted = 0;
        ByteView raw{};
        MessageView message{};
    };

    /// One step into `input`, which begins where the last step's consumption ended. After an error
    /// the stream makes no sense any more.
    Result<Step> next(ByteView input);

    /// Bytes consumed since the beginning.
    std::size_t offset() const { return offset_; }
    /// Whether the last packet has been read to its end.
    bool between_packets() const { return !in_packet_; }

private:
    Result<Step> begin_packet(ByteView input);
    Result<Step> read_message(ByteView input);
    Result<Step> decode(ByteView raw);

    std::size_t max_message_;
    std::size_t offset_ = 0;
    bool in_packet_ = false;
    std::size_t bytes_left_ = 0;
    std::size_t messages_left_ = 0;
};

}  // namespace caribou::wire
