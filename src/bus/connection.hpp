#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/ids.hpp"
#include "bus/buffer_pool.hpp"
#include "bus/limits.hpp"
#include "bus/outbox.hpp"
#include "bus/variable.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {

using ConnectionId = Id<struct ConnectionTag>;

class Connection;

/// What all connections of a broker share.
struct ConnectionPool {
    const BrokerLimits& limits;
    BufferPool buffers{};
    std::vector<Connection*> ready{};  ///< those with something new to send
    std::size_t connections = 0;
    std::size_t backlog = 0;  ///< bytes unsent, over all connections
};

/// How long a client's TIMING messages took to arrive, in milliseconds.
struct Latency {
    double recent = 0;
    double max = 0;
    double min = 1e9;
    double average = 0;

    void add(double milliseconds);
};

/// The fields of an answer to a TIMING message.
struct TimingEcho {
    double client_time;
    double stamp;
    double pause;  ///< that the client is asked to make after each send
};

/// What a connection has done, for operators.
struct Traffic {
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t messages_in = 0;
    std::uint64_t messages_out = 0;
    std::uint64_t packets_in = 0;
    std::uint64_t packets_out = 0;
    std::uint64_t collapsed = 0;  ///< values that gave way to newer ones in the backlog
    std::uint64_t dropped = 0;    ///< values that went as the oldest of the backlog
    std::uint64_t refused = 0;    ///< messages of its own that were not taken

    Traffic& operator+=(const Traffic& more);
};

/// One client as the broker sees it.
class Connection final : public Member {
public:
    enum class Stage {
        greeting,  ///< its 32 bytes have not all come
        naming,    ///< its name has not come
        disputed,  ///< its name is in use; it waits for the other one to prove that it lives
        open,      ///< welcome
        draining,  ///< refused: closed as soon as it has been told
    };

    Connection(ConnectionId connection, std::string from, ConnectionPool& shared, Instant now)
        : id(connection),
          peer(std::move(from)),
          reader(shared.limits.max_message),
          outbox(shared.buffers),
          last_heard(now),
          last_progress(now),
          pool_(shared) {
        pool_.connections += 1;
    }
    ~Connection() override;

    void deliver(const SharedBytes& message) override;
    std::string_view name() const override { return client_name; }
    /// Queues a message made for this client alone.
    void tell(const wire::MessageView& message);
    /// The first message of the next packet.
    void tell_first(const wire::MessageView& message);
    /// The answer to a TIMING message: the first message of a packet of its own. Beyond max_replies_owed that
    /// wait, the last one is replaced.
    void tell_timing(const TimingEcho& echo);
    /// Makes a packet of what waits.
    void seal();
    /// `size` bytes left for the client.
    void on_sent(std::size_t size, Instant now);
    /// Drops what waits, as after DB_CLEAR.
    void drop_waiting();
    /// A reason to cut it, if it does not read; empty otherwise.
    std::string stall(Instant now) const;
    /// On the list of those with something to send, or taken off it.
    void mark_ready();
    void clear_ready() { ready_ = false; }
    /// A client that is sent nothing but the answers to its packets.
    bool in_lock_step() const { return synchronous && stage == Stage::open; }

    const ConnectionId id;
    const std::string peer;
    std::string client_name;
    Stage stage = Stage::greeting;
    bool synchronous = false;

    wire::PacketReader reader;
    Bytes partial;                             ///< the beginning of a message that has not all come
    std::size_t wanted = wire::greeting_size;  ///< bytes without which `partial` is of no use
    bool at_packet_start = false;
    bool wants_reply = false;      ///< the packet under way is a synchronous client's
    std::size_t replies_owed = 0;  ///< synchronous: packets that wait for their answer

    Outbox outbox;
    Instant last_heard;
    Instant last_progress;  ///< when it last took a byte, or had nothing to take
    Instant disputed_since{};
    double clock_offset = 0;     ///< of our clock over its own, as seen in the hand-shake: the skew
    bool warp_reported = false;  ///< that its stamps show another time warp than the broker's
    std::string closing;         ///< why it will be closed at the end of this call; empty: it will not

    Latency latency;
    Traffic traffic;
    std::map<std::string, std::uint64_t, std::less<>> foreign_sources;  ///< writes under other names
    static constexpr std::size_t max_foreign_sources = 64;

private:
    template <class Change>
    void change_outbox(Change change);
    void on_added();
    void thin_out();
    void put_echo(const TimingEcho& echo);

    ConnectionPool& pool_;
    std::vector<TimingEcho> echoes_;  ///< behind the one that the next packet begins with
    bool ready_ = false;
    bool thinned_ = false;         ///< since it last took a byte
    std::size_t thin_out_at_ = 0;  ///< waiting bytes at which to look again; 0: the limit itself
};

}  // namespace caribou::bus
