#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"
#include "wire/message.hpp"

/// The head of an encoded message: its types, source, aux, community and key. What precedes it (length and
/// id) and what follows it (time, values, payload) changes from one value of a variable to the next. Inline,
/// because a broker calls these functions for each message.
namespace caribou::wire {

inline constexpr std::size_t head_offset = 8;
/// Number of bytes between the head and the payload: three reals and the payload's length.
inline constexpr std::size_t head_to_payload = 3 * sizeof(double) + sizeof(std::int32_t);

/// Returns the head of `raw`, the bytes that `message` was decoded from.
inline ByteView head_of(ByteView raw, const MessageView& message) {
    constexpr std::size_t types = 2;
    constexpr std::size_t lengths = 4 * sizeof(std::int32_t);
    return raw.subspan(head_offset, types + lengths + message.source.size() + message.aux.size() +
                                        message.community.size() + message.key.size());
}

/// Returns the number of bytes of the payload of a message with a head of `head_size` bytes.
inline std::size_t payload_behind_head(ByteView raw, std::size_t head_size) {
    return load_le<std::uint32_t>(raw.data() + head_offset + head_size + 3 * sizeof(double));
}

/// Returns whether `raw` has this head, and its payload fits into it: whether it is a valid message, if the
/// head is that of a valid one.
inline bool is_message_with_head(ByteView raw, ByteView head) {
    const std::size_t before = head_offset + head.size() + head_to_payload;
    return raw.size() >= before && payload_behind_head(raw, head.size()) <= raw.size() - before &&
           std::memcmp(raw.data() + head_offset, head.data(), head.size()) == 0;
}

/// Returns the size of a message with a head of `head_size` bytes if that is replaced by one of `new_size`
/// bytes. Bytes after the last field do not count.
inline std::size_t size_with_head(ByteView raw, std::size_t head_size, std::size_t new_size) {
    return head_offset + new_size + head_to_payload + payload_behind_head(raw, head_size);
}

/// Writes the message with its head of `head_size` bytes replaced to the size_with_head() bytes at `to`.
inline void store_with_head(std::byte* to, ByteView raw, std::size_t head_size, ByteView head) {
    const std::size_t size = size_with_head(raw, head_size, head.size());
    store_le(to, static_cast<std::int32_t>(size));
    std::memcpy(to + 4, raw.data() + 4, 4);
    std::memcpy(to + head_offset, head.data(), head.size());
    std::memcpy(to + head_offset + head.size(), raw.data() + head_offset + head_size,
                size - head_offset - head.size());
}

}  // namespace caribou::wire
