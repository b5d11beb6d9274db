#pragma once

#include <array>
#include <cstddef>

#include "base/bytes.hpp"
#include "wire/codec.hpp"

namespace caribou::bench {

/// Counts the messages in a stream of packets by their length fields only, so that reading is cheap and costs
/// the same on both sides of a comparison.
class MessageCounter {
public:
    /// Returns how many messages end in these bytes, which follow those of the last call.
    std::size_t count(ByteView bytes);

private:
    /// Handles a complete field: a packet's header or a message's length.
    void on_field();
    std::size_t field_size() const { return messages_left_ == 0 ? wire::packet_header_size : 4; }

    std::size_t messages_left_ = 0;  ///< in this packet, without the current one
    std::size_t body_left_ = 0;      ///< remaining bytes of the current message
    std::array<std::byte, wire::packet_header_size> field_{};
    std::size_t field_filled_ = 0;
};

}  // namespace caribou::bench
