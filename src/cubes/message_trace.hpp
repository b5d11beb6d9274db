#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou::cubes {

/// A message as it was transmitted, even if it is malformed.
struct TracedMessage {
    enum class Direction : std::uint8_t { to_cube, from_cube };
    Instant when;
    Direction direction;
    Bytes bytes;
};
/// Returns `1.230 s  from cube  voltage 1.50 V`.
std::string to_string(const TracedMessage& message);

/// The latest messages, oldest first.
class MessageTrace {
public:
    static constexpr std::size_t capacity = 200;

    void add(TracedMessage message);
    const std::deque<TracedMessage>& messages() const { return messages_; }
    std::uint64_t count() const { return count_; }

private:
    std::deque<TracedMessage> messages_;
    std::uint64_t count_ = 0;
};

}  // namespace caribou::cubes
