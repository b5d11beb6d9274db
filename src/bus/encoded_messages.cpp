#include "bus/encoded_messages.hpp"

#include <cstdint>
#include <cstring>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

/// An empty buffer larger than this is released.
constexpr std::size_t keep_capacity = 256_KiB;

}  // namespace

ByteView first_message(ByteView messages) {
    check(messages.size() >= wire::min_message_size, "there is a message");
    return messages.first(static_cast<std::size_t>(load_le<std::int32_t>(messages.data())));
}

void EncodedMessages::push(const wire::MessageView& message) {
    make_compact();
    wire::append_message(buffer_, message);
    ++count_;
}

void EncodedMessages::push(ByteView raw) {
    make_compact();
    append(buffer_, raw);
    ++count_;
}

void EncodedMessages::pop_front() { pop_front(1, first_message(view()).size()); }

void EncodedMessages::pop_front(std::size_t count, std::size_t bytes) {
    check(count <= count_ && bytes <= this->bytes(), "only an existing message is removed");
    count_ -= count;
    begin_ += bytes;
    if (count_ == 0) clear();
}

void EncodedMessages::erase(std::size_t offset) {
    const std::size_t size = first_message(view().subspan(offset)).size();
    std::byte* const first = buffer_.data() + begin_;
    std::memmove(first + size, first, offset);
    pop_front(1, size);
}

void EncodedMessages::clear() {
    count_ = 0;
    begin_ = 0;
    if (buffer_.capacity() > keep_capacity)
        buffer_ = {};
    else
        buffer_.clear();
}

/// Called before the buffer grows: moves the contents to the front if more than half of the buffer is unused,
/// so that each byte is moved at most once on average.
void EncodedMessages::make_compact() {
    if (begin_ <= buffer_.size() / 2) return;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
}

}  // namespace caribou::bus
