#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"

namespace caribou {

/// A FIFO queue of bytes. Private to loop.
class ByteQueue {
public:
    bool empty() const { return size() == 0; }
    std::size_t size() const { return bytes_.size() - taken_; }

    void push(ByteView bytes) { append(bytes_, bytes); }

    /// Moves the first into.size() bytes to `into`. Requires into.size() <= size().
    void take(std::span<std::byte> into) {
        check(into.size() <= size(), "a queue gives no more bytes than it has");
        std::ranges::copy(std::span(bytes_).subspan(taken_, into.size()), into.begin());
        taken_ += into.size();
        // Compact only when the free part is the larger one: each byte is then moved at most once more.
        if (taken_ < bytes_.size() - taken_) return;
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
        taken_ = 0;
    }

    void clear() {
        bytes_.clear();
        taken_ = 0;
    }

private:
    Bytes bytes_;
    std::size_t taken_ = 0;
};

}  // namespace caribou
