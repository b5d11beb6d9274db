#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "wire/message.hpp"

/// Serialization of messages and packets. The format is described in docs/formats/moos-wire.md.
namespace caribou::wire {

/// Minimum size of a message in bytes: one whose five strings are empty.
inline constexpr std::size_t min_message_size = 54;
inline constexpr std::size_t packet_header_size = 9;

/// Size of the greeting that a client sends at the start of every connection.
inline constexpr std::size_t greeting_size = 32;
ByteView greeting();
/// Returns whether these 32 bytes are a greeting. The text is compared up to the first NUL, ignoring case.
bool is_greeting(ByteView bytes);
/// Returns whether these bytes, at most 32, are the beginning of a greeting.
bool begins_greeting(ByteView bytes);

/// Returns the number of bytes that append_message() will append.
std::size_t encoded_size(const MessageView& message);
void append_message(Bytes& out, const MessageView& message);
/// Appends the header of a packet whose messages occupy `body_size` bytes.
void append_packet_header(Bytes& out, std::size_t body_size, std::size_t message_count);
/// Like append_packet_header, but writes to the nine bytes at `to`.
void store_packet_header(std::byte* to, std::size_t body_size, std::size_t message_count);
/// Returns a complete packet that contains one message.
Bytes encode_packet(const MessageView& message);
Bytes encode_packet(std::span<const Message> messages);

/// Decodes the message that occupies all of `bytes`. The views in the result refer to `bytes`. Bytes after
/// the last field are ignored, as by all other receivers. Returns Code::malformed if a field does not fit.
/// `offset` is the position of `bytes` in the sender's stream, from which errors compute the positions they
/// report.
Result<MessageView> decode_message(ByteView bytes, std::size_t offset = 0);
/// Like the above, but decodes into an existing message, whose contents are unspecified after an error.
Result<void> decode_message(ByteView bytes, std::size_t offset, MessageView& into);

/// Appends a decoded message with its community replaced. All other fields are copied from `raw`, the bytes
/// that `message` was decoded from. Bytes after the last field are dropped.
void append_with_community(Bytes& out, ByteView raw, const MessageView& message, std::string_view community);
/// Like append_with_community, but writes to `to`, which has room for size_with_community() bytes.
void store_with_community(std::byte* to, ByteView raw, const MessageView& message,
                          std::string_view community);
/// Returns the number of bytes of a message whose community is replaced.
std::size_t size_with_community(const MessageView& message, std::string_view community);

}  // namespace caribou::wire
