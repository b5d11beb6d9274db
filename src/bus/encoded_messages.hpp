#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Encoded messages, first in first out, one behind the other in one buffer. In steady state
/// nothing is allocated; a buffer that a burst has grown is given back once it is empty.
class EncodedMessages {
public:
    void push(const wire::MessageView& message);
    /// `raw` is one whole message.
    void push(ByteView raw);

    std::size_t count() const { return count_; }
    std::size_t bytes() const { return buffer_.size() - begin_; }
    bool empty() const { return count_ == 0; }

    /// All of them, oldest first.
    ByteView view() const { return ByteView(buffer_).subspan(begin_); }
    /// Removes the oldest; there is one.
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

/// The bytes of the message that `messages`, which is not empty, begins with.
ByteView first_message(ByteView messages);

}  // namespace caribou::bus
