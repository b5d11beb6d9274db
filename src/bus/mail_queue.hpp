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

/// A FIFO of mail to be fetched, limited in messages and bytes. Stores messages in encoded form, so that
/// storing one costs a copy of its bytes and no allocation of its own.
class MailQueue {
public:
    explicit MailQueue(QueueLimit limit) : limit_(limit) {}

    /// `raw` must be one complete message that has been decoded successfully.
    [[nodiscard]] Pushed push(ByteView raw);

    std::size_t size() const { return messages_.count(); }
    bool empty() const { return size() == 0; }
    /// Returns the number of messages lost because the queue was full.
    std::uint64_t lost() const { return lost_; }

    /// Returns the oldest message, or nullopt. Its fields are valid until the queue is changed.
    std::optional<wire::MessageView> front() const;
    /// Removes the oldest message, if there is one.
    void pop_front();
    /// Removes and returns the oldest message, or nullopt.
    std::optional<wire::Message> pop();
    /// Removes and returns all messages.
    std::vector<wire::Message> fetch();
    /// Moves all messages to the end of another queue, whose own limit applies.
    void pour_into(MailQueue& other);

private:
    bool fits(std::size_t size) const;

    QueueLimit limit_;
    EncodedMessages messages_;
    std::uint64_t lost_ = 0;
};

}  // namespace caribou::bus
