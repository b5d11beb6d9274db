#pragma once

#include <cstdint>
#include <deque>
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

/// State shared by all connections of a broker.
struct ConnectionPool {
    const BrokerLimits& limits;
    BufferPool buffers{};
    std::vector<Connection*> ready{};  ///< connections with new output
    std::size_t connections = 0;
    std::size_t backlog = 0;  ///< unsent bytes of all connections
};

/// Latency of a client's TIMING messages, in milliseconds.
struct Latency {
    double recent = 0;
    double max = 0;
    double min = 1e9;
    double average = 0;

    void add(double milliseconds);
};

/// The fields of a reply to a TIMING message.
struct TimingEcho {
    double client_time;
    double stamp;
    double pause;  ///< requested from the client after each send
};

/// Counters of a connection, for operators.
struct Traffic {
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t messages_in = 0;
    std::uint64_t messages_out = 0;
    std::uint64_t packets_in = 0;
    std::uint64_t packets_out = 0;
    std::uint64_t collapsed = 0;  ///< values replaced by newer ones in the backlog
    std::uint64_t dropped = 0;    ///< values dropped as the oldest of the backlog
    std::uint64_t refused = 0;    ///< messages from this client that were rejected

    Traffic& operator+=(const Traffic& more);
};

/// One connection of a broker.
class Connection final : public Member {
public:
    enum class Stage {
        greeting,  ///< waiting for the 32 bytes of the greeting
        naming,    ///< waiting for the name
        disputed,  ///< the name is in use; waiting until its holder proves to be alive
        open,      ///< accepted
        draining,  ///< refused; closed as soon as the refusal has been sent
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

    void deliver(const MessageRun& run) override;
    std::string_view name() const override { return client_name; }
    /// Queues a message for this client only.
    void tell(const wire::MessageView& message);
    /// Sets the first message of the next packet.
    void tell_first(const wire::MessageView& message);
    /// Queues the reply to a TIMING message, as the first message of a packet of its own. With more than
    /// max_replies_owed replies waiting, the last one is replaced.
    void tell_timing(const TimingEcho& echo);
    /// Builds a packet from the waiting messages.
    void seal();
    /// Must be called when `size` bytes have been sent.
    void on_sent(std::size_t size, Instant now);
    /// Drops the waiting messages (DB_CLEAR).
    void drop_waiting();
    /// Returns the reason to disconnect a client that does not read; empty if there is none.
    std::string stall(Instant now) const;
    /// Add this connection to, or remove it from, the list of those with new output.
    void mark_ready();
    void clear_ready() { ready_ = false; }
    /// Returns whether the client only receives replies to its packets.
    bool in_lock_step() const { return synchronous && stage == Stage::open; }

    const ConnectionId id;
    const std::string peer;
    std::string client_name;
    Stage stage = Stage::greeting;
    bool synchronous = false;

    wire::PacketReader reader;
    Bytes partial;  ///< start of an incomplete message, or all input for the next turn
    /// number of bytes that `partial` needs before it can be decoded
    std::size_t wanted = wire::greeting_size;
    bool at_packet_start = false;
    bool wants_reply = false;      ///< the current packet is from a synchronous client
    std::size_t replies_owed = 0;  ///< synchronous mode: packets waiting for a reply

    std::deque<std::string> requests;  ///< server requests that wait for their turn
    bool request_answered = false;     ///< in this turn

    std::uint64_t charged_turn = 0;  ///< turn of the broker in which `work` was caused
    std::size_t work = 0;            ///< caused in that turn; limited by turn_work
    bool must_wait = false;          ///< `partial` holds input for the next turn

    Outbox outbox;
    Instant last_heard;
    Instant last_progress;  ///< when it last read a byte, or had nothing to read
    Instant disputed_since{};
    std::uint64_t claims_refused = 0;  ///< connections refused because this one holds their name
    double clock_offset = 0;           ///< our clock minus its clock, measured in the handshake
    bool warp_reported = false;        ///< whether a time warp different from the broker's has been reported
    std::string closing;               ///< reason to close at the end of this call; empty: stays open

    Latency latency;
    Traffic traffic;
    /// number of writes under other names
    std::map<std::string, std::uint64_t, std::less<>> foreign_sources;
    static constexpr std::size_t max_foreign_sources = 64;

private:
    template <class Change>
    void change_outbox(Change change);
    void on_added(std::size_t messages);
    void thin_out();
    void put_echo(const TimingEcho& echo);

    ConnectionPool& pool_;
    std::vector<TimingEcho> echoes_;  ///< after the one in the next packet
    bool ready_ = false;
    bool thinned_ = false;         ///< thinned out since it last read a byte
    std::size_t thin_out_at_ = 0;  ///< backlog at which to check again; 0: at the limit
};

}  // namespace caribou::bus
