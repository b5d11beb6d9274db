#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.hpp"

namespace caribou::bus {

/// Encoded messages that several outboxes can share.
using SharedBytes = std::shared_ptr<Bytes>;

/// One or more encoded messages that follow each other in memory. Refers to its messages and to their owner.
struct MessageRun {
    /// A single message.
    explicit(false) MessageRun(const SharedBytes& message) : owner(&message), messages(*message) {}
    MessageRun(const SharedBytes* kept_by, ByteView bytes, std::size_t number)
        : owner(kept_by), messages(bytes), count(number) {}

    /// Calls visit(bytes of a message) for each message in order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (ByteView rest = messages; !rest.empty();) {
            const auto size = static_cast<std::size_t>(load_le<std::int32_t>(rest.data()));
            visit(rest.first(size));
            rest = rest.subspan(size);
        }
    }

    const SharedBytes* owner;  ///< keeps the messages; nullptr: they are valid during the call only
    ByteView messages;
    std::size_t count = 1;
};

}  // namespace caribou::bus
