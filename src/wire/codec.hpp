#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "wire/message.hpp"

/// The bytes of messages and packets, as docs/formats/moos-wire.md lays them out.
namespace caribou::wire {

/// Bytes of a message whose five strings are empty: the least a message can have.
inline constexpr std::size_t min_message_size = 54;
inline constexpr std::size_t packet_header_size = 9;

/// The first 32 bytes of every connection, from the client.
inline constexpr std::size_t greeting_size = 32;
ByteView greeting();
/// Whether 32 bytes open a connection: the text counts up to the first NUL, in any case of letters.
bool is_greeting(ByteView bytes);
/// Whether up to 32 bytes can still become a greeting.
bool begins_greeting(ByteView bytes);

std::size_t encoded_size(const MessageView& message);
void append_message(Bytes& out, const MessageView& message);
/// Appends the header of a packet whose messages take `body_size` bytes.
void append_packet_header(Bytes& out, std::size_t body_size, std::size_t message_count);
/// The same into the nine bytes at `to`.
void store_packet_header(std::byte* to, std::size_t body_size, std::size_t message_count);
/// A whole packet of one message.
Bytes encode_packet(const MessageView& message);
Bytes encode_packet(std::span<const Message> messages);

/// Reads one message that fills `bytes`; the fields of the result stand in `bytes`. What follows
/// the last field is passed over, as every receiver does. `offset` is where `bytes` stands in what
/// the sender sent; errors name their place from there.
Result<MessageView> decode_message(ByteView bytes, std::size_t offset = 0);
/// The same into a message that stands already; after an error it holds nothing of use.
Result<void> decode_message(ByteView bytes, std::size_t offset, MessageView& into);

/// Appends a decoded message with its community replaced, copying the rest from `raw`, the bytes
/// that `message` was decoded from. What follows the last field is left out.
void append_with_community(Bytes& out, ByteView raw, const MessageView& message, std::string_view community);

}  // namespace caribou::wire
