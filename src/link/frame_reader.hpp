#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "link/message.hpp"

namespace caribou::link {

/// Cuts the bytes of a stream into frames, however they come. Keeps the head of one frame at most.
class FrameReader {
public:
    void add(ByteView bytes) { caribou::append(bytes_, bytes); }
    /// The next message; none: more bytes are needed. After an error there is no way on.
    Result<std::optional<LinkMessage>> next();
    /// Bytes that wait for more.
    std::size_t kept() const { return bytes_.size() - begin_; }

private:
    Bytes bytes_;
    std::size_t begin_ = 0;
};

}  // namespace caribou::link
