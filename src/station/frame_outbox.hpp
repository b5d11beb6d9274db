#pragma once

#include <cstddef>
#include <deque>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/stream.hpp"

namespace caribou::station {

/// Frames that wait for room on a stream. A full stop goes before all that have not begun to leave.
class FrameOutbox {
public:
    void add(Bytes frame);
    void add_first(Bytes frame);
    /// Writes what there is room for. What is left goes on with on_writable.
    Result<void> flush(Stream& stream);
    void clear();
    std::size_t bytes() const { return bytes_; }

private:
    std::deque<Bytes> frames_;
    std::size_t sent_ = 0;  ///< of the first
    std::size_t bytes_ = 0;
};

}  // namespace caribou::station
