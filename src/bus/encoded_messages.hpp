#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// A FIFO of encoded messages in one contiguous buffer. Does not allocate in steady state; a buffer that has
/// grown in a burst is released once it is empty.
class EncodedMessages {
public:
    void push(const wire::MessageView& message);
    /// `raw` must be one complete message.
    void push(ByteView raw);

    std::size_t count() const { return count_; }
    std::size_t bytes() const { return buffer_.size() - begin_; }
    bool empty() const { return count_ == 0; }

    /// Returns all messages, oldest first.
    ByteView view() const { return ByteView(buffer_).subspan(begin_); }
    /// Removes the oldest message; there must be one.
    void pop_front();
    /// Removes the oldest `count` messages, which take `bytes` bytes.
    void pop_front(std::size_t count, std::size_t bytes);
    /// Removes the message that begins at `offset` of view(). Takes time linear in `offset`.
    void erase(std::size_t offset);
    void clear();

private:
    void make_compact();

    Bytes buffer_;
    std::size_t begin_ = 0;
    std::size_t count_ = 0;
};

/// Returns the bytes of the first message in `messages`, which must not be empty.
ByteView first_message(ByteView messages);

}  // namespace caribou::bus
