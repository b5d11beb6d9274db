#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "wire/codec.hpp"
#include "wire/head.hpp"
#include "wire/message.hpp"

namespace caribou::wire {

/// Splits a byte stream into packets and messages. It does not buffer: the caller passes the bytes it has,
/// removes those that were consumed, and passes the rest again together with newly received ones. A packet is
/// read message by message, so only the size of a message is limited.
class PacketReader {
public:
    explicit PacketReader(std::size_t max_message) : max_message_(max_message) {}

    struct Step {
        enum class Kind {
            need_more,   ///< at least `wanted` bytes are needed to continue
            packet,      ///< the start of a packet
            message,     ///< `message`, decoded from the bytes `raw`
            packet_end,  ///< the end of a packet
        };
        Kind kind;
        std::size_t consumed = 0;
        std::size_t wanted = 0;
        ByteView raw{};
        MessageView message{};
    };

    /// Performs one step on `input`, which starts after the bytes consumed by the last step. After an error
    /// the stream cannot be decoded any further.
    Result<Step> next(ByteView input);

    struct Similar {
        std::size_t consumed = 0;    ///< 0: there is no such message, and next() continues
        bool begins_packet = false;  ///< it is the first of a packet
        ByteView raw{};
    };
    /// Returns the next message, without decoding it, if all of it is in `input`, it is valid, has at most
    /// `max_size` bytes, and its head (wire/head.hpp) equals `head`, that of an earlier message. The ends
    /// and starts of packets before it are skipped.
    Similar next_similar(ByteView input, ByteView head, std::size_t max_size);

    /// Returns the number of bytes consumed since the beginning.
    std::size_t offset() const { return offset_; }
    /// Returns whether the last packet has been read completely.
    bool between_packets() const { return !in_packet_; }

private:
    /// What the start of a packet declares.
    struct Header {
        std::int32_t length;
        std::int32_t count;
        std::size_t body() const { return static_cast<std::size_t>(length) - packet_header_size; }
        bool fits() const {
            return length >= static_cast<std::int32_t>(packet_header_size) && count >= 0 &&
                   static_cast<std::size_t>(count) <= body() / min_message_size;
        }
    };
    static Header header_at(ByteView input) {
        return {load_le<std::int32_t>(input.data()), load_le<std::int32_t>(input.data() + 4)};
    }
    void enter(const Header& header) {
        in_packet_ = true;
        bytes_left_ = header.body();
        messages_left_ = static_cast<std::size_t>(header.count);
        offset_ += packet_header_size;
    }
    void leave_message(std::size_t size) {
        bytes_left_ -= size;
        messages_left_ -= 1;
        offset_ += size;
    }
    Result<Step> begin_packet(ByteView input);
    Result<Step> read_message(ByteView input);
    Result<Step> decode(ByteView raw);

    std::size_t max_message_;
    std::size_t offset_ = 0;
    bool in_packet_ = false;
    std::size_t bytes_left_ = 0;
    std::size_t messages_left_ = 0;
};

inline PacketReader::Similar PacketReader::next_similar(ByteView input, ByteView head, std::size_t max_size) {
    const bool begins = messages_left_ == 0;
    Header header{};
    std::size_t left = bytes_left_;
    std::size_t count = messages_left_;
    if (begins) {
        // An error at the end of a packet is found by next().
        if ((in_packet_ && bytes_left_ > 0) || input.size() < packet_header_size) return {};
        header = header_at(input);
        if (!header.fits() || header.count == 0) return {};
        left = header.body();
        count = static_cast<std::size_t>(header.count);
        input = input.subspan(packet_header_size);
    }
    if (input.size() < min_message_size) return {};
    const std::size_t size = load_le<std::uint32_t>(input.data());
    if (size < min_message_size || size > left - (count - 1) * min_message_size || size > input.size() ||
        size > max_size || size > max_message_ || !is_message_with_head(input.first(size), head))
        return {};
    if (begins) enter(header);
    leave_message(size);
    return {(begins ? packet_header_size : 0) + size, begins, input.first(size)};
}

}  // namespace caribou::wire
