#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bus/client_options.hpp"
#include "bus/encoded_messages.hpp"
#include "loop/inbox.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Mail that waits to be fetched, oldest first, bounded in messages and bytes. It keeps messages
/// as they came, so that holding one costs a copy of its bytes and no allocation of its own.
class MailQueue {
public:
    explicit MailQueue(QueueLimit limit) : limit_(limit) {}

    /// `raw` is a whole message that has been decoded before.
    [[nodiscard]] Pushed push(ByteView raw);

    std::size_t size() const { return messages_.count(); }
    bool empty() const { return size() == 0; }
    /// Messages that this queue did not keep because it was full.
    std::uint64_t lost() const { return lost_; }

    /// The oldest message; its fields stand in the queue until the next call that changes it.
    std::optional<wire::MessageView> front() const;
    /// Removes the oldest message, if there is one.
    void pop_front();
    /// Takes the oldest message out.
    std::optional<wire::Message> pop();
    /// Takes everything out.
    std::vector<wire::Message> fetch();
    /// Moves everything to the end of another queue, which keeps to its own limit.
    void pour_into(MailQueue& other);

private:
    bool fits(std::size_t size) const;

    QueueLimit limit_;
    EncodedMessages messages_;
    std::uint64_t lost_ = 0;
};

}  // namespace caribou::bus
