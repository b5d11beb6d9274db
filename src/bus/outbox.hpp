#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "bus/buffer_pool.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// An encoded message that several outboxes can refer to at once.
using SharedBytes = std::shared_ptr<Bytes>;

/// What waits to be sent to one client: one packet on its way, and behind it the messages of the
/// next one, which can still be thinned out. An empty outbox holds no buffer.
class Outbox {
public:
    explicit Outbox(BufferPool& pool) : pool_(pool) {}
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;
    ~Outbox();

    /// Large messages are referred to, small ones copied.
    void add(const SharedBytes& message);
    void add(const wire::MessageView& message);
    /// The first message of the next packet, in place of one set before. Has an empty payload and
    /// no strings but its key: TIMING or NULL.
    void set_front(const wire::MessageView& message);

    bool has_front() const { return front_size_ > 0; }
    /// Something waits for the next packet.
    bool has_waiting() const { return waiting_count_ > 0 || front_size_ > 0; }
    /// A packet is on its way and not fully sent.
    bool sending() const { return sent_ < sealed_size_; }
    bool empty() const { return !has_waiting() && !sending(); }
    /// Bytes not yet sent.
    std::size_t backlog() const { return sealed_size_ - sent_ + waiting_size_; }
    /// Bytes that wait for the next packet, and could still be thinned out.
    std::size_t waiting_size() const { return waiting_size_; }

    /// Makes the next packet of all that waits. Only when nothing is being sent.
    void seal();
    /// The next bytes to send, as many pieces as there are and fit.
    std::size_t gather(std::span<ByteView> pieces) const;
    /// `size` of the gathered bytes were sent.
    void sent(std::size_t size);

    /// Keeps of the waiting values only the newest of each variable; replies to requests stay.
    /// Returns how many messages went.
    std::size_t collapse();
    /// Lets the oldest waiting messages go until at most `size` waiting bytes are left, or one
    /// message. Returns how many went.
    std::size_t drop_oldest(std::size_t size);
    /// Forgets all that waits; what is on its way stays. Returns how many messages went.
    std::size_t drop_waiting();

    /// From this size on a message is referred to and not copied.
    static constexpr std::size_t share_from = 4096;

private:
    /// A message that stands outside of the bytes, at this place between them.
    struct Insert {
        std::size_t at;
        SharedBytes message;
    };
    struct Batch {
        Bytes bytes;
        std::vector<Insert> inserts;
    };
    /// Calls visit(message bytes) for each waiting message in order.
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
    std::array<std::byte, max_prefix> prefix_;  ///< of the sealed packet: header and front message
    std::size_t prefix_size_ = 0;
    std::size_t sealed_size_ = 0;
    std::size_t sent_ = 0;

    std::array<std::byte, max_front> front_;
    std::size_t front_size_ = 0;
};

}  // namespace caribou::bus
