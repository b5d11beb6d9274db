#pragma once

#include <array>
#include <cstddef>

#include "base/bytes.hpp"
#include "wire/codec.hpp"

namespace caribou::bench {

/// How messages follow each other in a stream.
enum class Framing {
    packets,  ///< those of a broker
    plain,    ///< a length of four bytes and the payload: what goes through a relay
};

/// Counts the messages in a stream by their length fields only, so that reading is cheap and costs the same
/// on both sides of a comparison.
class MessageCounter {
public:
    explicit MessageCounter(Framing framing) : framing_(framing) {}

    /// Returns how many messages end in these bytes, which follow those of the last call.
    std::size_t count(ByteView bytes);

private:
    /// Handles a complete field: a packet's header or a message's length.
    void on_field(const std::byte* field);
    std::size_t field_size() const {
        return framing_ == Framing::packets && messages_left_ == 0 ? wire::packet_header_size : 4;
    }

    Framing framing_;
    std::size_t messages_left_ = 0;  ///< in this packet, without the current one
    std::size_t body_left_ = 0;      ///< remaining bytes of the current message
    std::array<std::byte, wire::packet_header_size> field_{};
    std::size_t field_filled_ = 0;
};

}  // namespace caribou::bench
