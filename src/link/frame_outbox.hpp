#pragma once

#include <cstddef>
#include <deque>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/stream.hpp"

namespace caribou::link {

/// Frames that wait for room on a stream. A full stop goes before all that have not begun to leave, and
/// whatever is said goes before topics, which leave piece by piece.
class FrameOutbox {
public:
    void add(Bytes frame);
    void add_first(Bytes frame);
    void add_topic(ByteView message);
    /// Writes what there is room for. What is left goes on with on_writable.
    Result<void> flush(Stream& stream);
    void clear();
    /// That wait; without those of topics.
    std::size_t bytes() const { return bytes_; }
    std::size_t topic_bytes() const { return topic_bytes_; }

private:
    bool begin_next();

    std::deque<Bytes> frames_;
    std::deque<Bytes> topics_;
    Bytes leaving_;  ///< has begun to
    std::size_t sent_ = 0;
    std::size_t bytes_ = 0;
    std::size_t topic_bytes_ = 0;
};

}  // namespace caribou::link
