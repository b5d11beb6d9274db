#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/client_options.hpp"
#include "bus/encoded_messages.hpp"
#include "loop/inbox.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// What a client has to send: the messages of the packet that is on its way, and behind it those
/// that wait. Bounded; both parts count.
class ClientOutbox {
public:
    explicit ClientOutbox(QueueLimit limit) : limit_(limit) {}

    /// Takes a message, or fails with limit_exceeded. To make room, drop_oldest drops
    /// notifications only: registrations are never dropped, nor is what is on its way.
    Result<Pushed> push(const wire::MessageView& message);

    std::size_t count() const { return packet_.count() + waiting_.count(); }
    std::size_t bytes() const { return packet_.bytes() + waiting_.bytes(); }
    bool empty() const { return count() == 0; }
    bool has_waiting() const { return !waiting_.empty(); }
    /// Notifications that made room for others since the beginning.
    std::uint64_t dropped() const { return dropped_; }
    /// Whether at most half of what is allowed is taken.
    bool has_much_room() const { return count() <= limit_.messages / 2 && bytes() <= limit_.bytes / 2; }

    /// Makes a packet of the oldest waiting messages, up to max_packet bytes but at least one if
    /// there is any. Nothing is on its way before.
    void take_packet();
    /// The messages of the packet that is on its way; their bytes stand until it was sent.
    ByteView packet() const { return packet_.view(); }
    std::size_t packet_count() const { return packet_.count(); }
    /// All of the packet has been handed to the network.
    void packet_sent() { packet_.clear(); }

    /// The connection is lost after `sent` bytes of the packet were handed to the network. Keeps
    /// or drops the notifications that were not; everything else is dropped, since registrations
    /// and requests belong to a connection. Returns how many notifications were dropped.
    std::size_t connection_lost(std::size_t sent, OnLoss on_loss);

    /// Larger packets are cut, so that only little is beyond the reach of drop_oldest.
    static constexpr std::size_t max_packet = 1_MiB;

private:
    bool fits(std::size_t size) const;
    bool drop_oldest_notification();

    QueueLimit limit_;
    EncodedMessages packet_;
    EncodedMessages waiting_;
    std::uint64_t dropped_ = 0;
};

}  // namespace caribou::bus
