#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/client_options.hpp"
#include "bus/encoded_messages.hpp"
#include "loop/inbox.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Messages that a client has to send: those of the packet being sent, then those waiting. The limit applies
/// to both parts together.
class ClientOutbox {
public:
    explicit ClientOutbox(QueueLimit limit) : limit_(limit) {}

    /// Appends a message, or fails with limit_exceeded. With drop_oldest, only waiting notifications are
    /// dropped to make room, never registrations or the packet being sent.
    Result<Pushed> push(const wire::MessageView& message);

    std::size_t count() const { return packet_.count() + waiting_.count(); }
    std::size_t bytes() const { return packet_.bytes() + waiting_.bytes(); }
    bool empty() const { return count() == 0; }
    bool has_waiting() const { return !waiting_.empty(); }
    /// Returns the number of notifications dropped to make room, in total.
    std::uint64_t dropped() const { return dropped_; }
    /// Returns whether at most half of the capacity is used.
    bool has_much_room() const { return count() <= limit_.messages / 2 && bytes() <= limit_.bytes / 2; }

    /// Moves the oldest waiting messages into a packet: up to max_packet bytes, but at least one message if
    /// there is any. The previous packet must have been sent.
    void take_packet();
    /// Returns the messages of the packet being sent, valid until packet_sent() or connection_lost().
    ByteView packet() const { return packet_.view(); }
    std::size_t packet_count() const { return packet_.count(); }
    /// Must be called when the whole packet has been passed to the network.
    void packet_sent() { packet_.clear(); }

    /// Must be called when the connection is lost after `sent` bytes of the packet were passed to the
    /// network. Keeps or drops the unsent notifications; everything else is dropped, because registrations
    /// and requests belong to a connection. Returns the number of notifications dropped.
    std::size_t connection_lost(std::size_t sent, OnLoss on_loss);

    /// Upper limit of a packet, so that drop_oldest can still drop most messages.
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
