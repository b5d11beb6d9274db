#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "bus/buffer_pool.hpp"
#include "bus/message_run.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Messages to be sent to one client: a packet being sent, followed by the messages of the next one, which
/// can still be thinned out. An empty outbox holds no buffer.
class Outbox {
public:
    explicit Outbox(BufferPool& pool) : pool_(pool) {}
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;
    ~Outbox();

    /// Appends messages. Long runs are shared, short ones copied.
    void add(const MessageRun& run);
    void add(const wire::MessageView& message);
    /// Sets, or replaces, the first message of the next packet. It must have an empty payload and no strings
    /// except its key: TIMING or NULL.
    void set_front(const wire::MessageView& message);

    bool has_front() const { return front_size_ > 0; }
    /// Returns whether a message is waiting for the next packet.
    bool has_waiting() const { return waiting_count_ > 0 || front_size_ > 0; }
    /// Returns whether a packet has not been sent completely.
    bool sending() const { return sent_ < sealed_size_; }
    bool empty() const { return !has_waiting() && !sending(); }
    /// Returns the number of unsent bytes.
    std::size_t backlog() const { return sealed_size_ - sent_ + waiting_size_; }
    /// Returns the number of bytes waiting for the next packet, which can still be thinned out.
    std::size_t waiting_size() const { return waiting_size_; }

    /// Builds the next packet from all waiting messages. Must not be called while sending().
    void seal();
    /// Fills `pieces` with the next bytes to send, and returns the number of pieces.
    std::size_t gather(std::span<ByteView> pieces) const;
    /// Removes `size` of the gathered bytes, which have been sent.
    void sent(std::size_t size);

    /// Keeps only the newest waiting value of each variable, and all replies to requests. Returns the number
    /// of messages removed.
    std::size_t collapse();
    /// Drops the oldest waiting messages until at most `size` waiting bytes, or one message, are left.
    /// Returns the number of messages dropped.
    std::size_t drop_oldest(std::size_t size);
    /// Drops all waiting messages, but not the packet being sent. Returns the number of messages dropped.
    std::size_t drop_waiting();

    /// Runs of at least this many bytes are shared instead of copied.
    static constexpr std::size_t share_from = 4096;

private:
    /// Shared messages, and their position between the copied bytes.
    struct Insert {
        std::size_t at;
        SharedBytes owner;
        ByteView messages;
    };
    struct Batch {
        Bytes bytes;
        std::vector<Insert> inserts;
    };
    /// Calls visit(message bytes, owner or nullptr if copied) for each waiting message in order.
    template <class Visit>
    void for_each_waiting(Visit visit) const;
    template <class Keep>
    std::size_t keep_only(Keep keep);

    static constexpr std::size_t max_front = 67;  // TIMING; NULL is shorter
    static constexpr std::size_t max_prefix = 9 + max_front;

    BufferPool& pool_;

    Batch waiting_;
    std::size_t waiting_count_ = 0;
    std::size_t waiting_size_ = 0;

    Batch sealed_;
    std::array<std::byte, max_prefix> prefix_;  ///< start of the sealed packet: header and front message
    std::size_t prefix_size_ = 0;
    std::size_t sealed_size_ = 0;
    std::size_t sent_ = 0;

    std::array<std::byte, max_front> front_;
    std::size_t front_size_ = 0;
};

}  // namespace caribou::bus
