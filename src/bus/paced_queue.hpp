#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "bus/byte_budget.hpp"

namespace caribou::bus {

/// Messages that wait for a link with a limited number of bytes per second: the latest of each name, those of
/// the highest priority first, and of these the one that waits longest.
class PacedQueue {
public:
    /// `overhead`: bytes that each packet has on the link in addition to its message.
    PacedQueue(double bytes_per_second, std::size_t overhead)
        : budget_(bytes_per_second), overhead_(overhead) {}

    /// Returns whether it replaces a message that waited.
    bool offer(std::string_view name, int priority, ByteView message);
    /// Returns the next message that may be sent now.
    std::optional<Bytes> take(Instant now);
    std::size_t waiting() const { return waiting_.size(); }

private:
    struct Waiting {
        int priority;
        std::uint64_t order;
        Bytes message;
    };

    std::map<std::string, Waiting, std::less<>> waiting_;
    std::uint64_t order_ = 0;
    ByteBudget budget_;
    std::size_t overhead_;
};

}  // namespace caribou::bus
