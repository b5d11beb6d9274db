#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "link/message.hpp"

namespace caribou::link {

/// Splits the bytes of a stream into frames. Buffers at most one frame.
class FrameReader {
public:
    void add(ByteView bytes) { caribou::append(bytes_, bytes); }
    /// Returns the next message, or nullopt if more bytes are needed. After an error the reader is unusable.
    Result<std::optional<LinkMessage>> next();
    /// Returns the number of buffered bytes.
    std::size_t kept() const { return bytes_.size() - begin_; }

private:
    Bytes bytes_;
    std::size_t begin_ = 0;
};

}  // namespace caribou::link
