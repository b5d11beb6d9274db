#include "bus_message_counter.hpp"

#include <algorithm>

namespace caribou::bench {

std::size_t MessageCounter::count(ByteView bytes) {
    std::size_t ended = 0;
    while (!bytes.empty()) {
        if (body_left_ > 0) {
            const std::size_t passed = std::min(body_left_, bytes.size());
            body_left_ -= passed;
            bytes = bytes.subspan(passed);
            if (body_left_ == 0) ended += 1;
            continue;
        }
        const std::size_t size = field_size();
        if (field_filled_ == 0 && bytes.size() >= size) {
            on_field(bytes.data());
            bytes = bytes.subspan(size);
            continue;
        }
        const std::size_t taken = std::min(size - field_filled_, bytes.size());
        std::copy_n(bytes.begin(), taken, field_.begin() + static_cast<std::ptrdiff_t>(field_filled_));
        field_filled_ += taken;
        bytes = bytes.subspan(taken);
        if (field_filled_ < size) continue;
        field_filled_ = 0;
        on_field(field_.data());
    }
    return ended;
}

void MessageCounter::on_field(const std::byte* field) {
    if (framing_ == Framing::plain) {
        body_left_ = load_le<std::uint32_t>(field);
    } else if (messages_left_ == 0) {
        messages_left_ = load_le<std::uint32_t>(field + 4);
    } else {
        messages_left_ -= 1;
        body_left_ = load_le<std::uint32_t>(field) - 4;
    }
}

}  // namespace caribou::bench
