#pragma once

#include <cstddef>
#include <deque>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/stream.hpp"

namespace caribou::link {

/// Frames waiting to be written to a stream. A full stop overtakes all frames not yet started, and all
/// messages overtake topics, which are sent in pieces.
class FrameOutbox {
public:
    /// Appends a complete frame.
    void add(Bytes frame);
    /// Inserts a frame before all that have not been started.
    void add_first(Bytes frame);
    /// Splits a topic message into frames and appends them after all other messages.
    void add_topic(ByteView message);
    /// Writes as much as the stream accepts. Must be called again from on_writable.
    Result<void> flush(Stream& stream);
    /// Drops everything, including the frame being written; for use after the connection was lost.
    void clear();
    /// Returns the number of waiting bytes, without topics.
    std::size_t bytes() const { return bytes_; }
    std::size_t topic_bytes() const { return topic_bytes_; }

private:
    bool begin_next();

    std::deque<Bytes> frames_;
    std::deque<Bytes> topics_;
    Bytes leaving_;  ///< frame being written
    std::size_t sent_ = 0;
    std::size_t bytes_ = 0;
    std::size_t topic_bytes_ = 0;
};

}  // namespace caribou::link
