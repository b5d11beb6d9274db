#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "bus/connection.hpp"
#include "bus/exchange.hpp"
#include "bus/limits.hpp"
#include "bus/moment.hpp"

namespace caribou::bus {

/// The pause that a client is asked to make after each send, by client name.
struct ResponsePause {
    std::string client_pattern;
    Duration pause;
};

struct BrokerOptions {
    std::string community = "#1";
    std::string hostname = "localhost";  ///< sent to clients in the welcome
    double warp_factor = 1;              ///< rate of Moment::warped relative to real time
    BrokerLimits limits{};
    std::vector<ResponsePause> response{};  ///< the first entry that matches is used
    /// A TIMING message with a longer latency is reported.
    Duration warning_latency = std::chrono::milliseconds(50);
    /// Refuses values whose source is not the writer's own name, except for the allowed sources.
    bool strict = false;
    std::vector<std::string> allowed_sources{};
};

/// The broker as a state machine: bytes from connections in, bytes for connections out. Performs no I/O;
/// bus/broker_server.hpp connects it to a network.
///
/// After any call with a Moment, check for output (take_ready, gather, sent) and for connections to close
/// (take_closed).
class Broker {
public:
    Broker(BrokerOptions options, Log& log, const Moment& at);
    ~Broker();

    /// Adds an accepted connection. Fails with limit_exceeded if there are too many.
    Result<ConnectionId> connect(std::string peer, const Moment& at);
    /// Processes bytes received on a connection. Input that exceeds the client's share of this turn
    /// (limits.turn_work) is copied, and processed in the next turns; then is_waiting() is true.
    void receive(ConnectionId id, ByteView bytes, const Moment& at);
    /// Removes a connection that was closed by the peer.
    void disconnect(ConnectionId id, std::string_view reason, const Moment& at);
    /// Performs all timed work that is due. Must be called at next_wake() at the latest.
    void tick(const Moment& at);
    Instant next_wake(const Moment& at) const;

    /// Ends a turn: processes input that has waited for it, answers a waiting server request of each client
    /// that has read its answers, and appends the connections that may have new output, each once.
    void take_ready(std::vector<ConnectionId>& into, const Moment& at);
    /// Returns whether there is input or a server request for the next turn.
    bool has_work() const;
    /// Returns whether input of the connection waits for the next turn. No more should be received until
    /// then.
    bool is_waiting(ConnectionId id) const;
    /// Returns the number of pieces filled with the next bytes to send to a connection; 0 if there are none.
    /// The pieces are valid until the next call on the broker.
    std::size_t gather(ConnectionId id, std::span<ByteView> pieces, const Moment& at);
    /// Removes `size` bytes that were sent. Returns whether there is more to gather.
    bool sent(ConnectionId id, std::size_t size, const Moment& at);

    struct Closed {
        ConnectionId id;
        std::string reason;
    };
    /// Returns the connections that the broker has closed since the last call. Their ids are no longer valid.
    std::vector<Closed> take_closed() { return std::exchange(closed_, {}); }

    /// Publishes a text in DB_NOTICE.
    void notice(std::string_view text, const Moment& at) { publish("DB_NOTICE", text, at); }
    /// Receives the texts published in DB_EVENT and DB_NOTICE, with their time stamps.
    using EventHandler = std::move_only_function<void(std::string_view text, double stamp)>;
    void on_event(EventHandler handler) { event_handler_ = std::move(handler); }
    /// Writes a value on behalf of the broker's web page, under the name `source`.
    Result<void> poke(std::string_view source, wire::MessageView value, const Moment& at);

    Exchange& exchange() { return exchange_; }
    const Exchange& exchange() const { return exchange_; }
    std::size_t client_count() const { return by_name_.size(); }
    /// Returns the number of connections with an unfinished handshake.
    std::size_t handshake_count() const;
    const BrokerLimits& limits() const { return options_.limits; }
    const Connection* find_client(std::string_view name) const;
    /// Returns all connected clients, newest first.
    std::vector<const Connection*> clients() const;
    /// Returns the number of unsent bytes of all clients.
    std::size_t backlog() const { return pool_.backlog; }
    /// Returns the traffic of all connections, including closed ones.
    Traffic traffic() const;
    const std::string& name() const { return name_; }
    /// Returns the time stamp of the start, or of the last DB_CLEAR.
    double started() const { return started_; }

private:
    Connection* find(ConnectionId id) const;
    /// Handles the complete messages in the connection's `partial` and in `bytes`, and keeps the remainder.
    void take_input(Connection& c, ByteView bytes, const Moment& at);
    /// Same, but the last values may wait for Exchange::end_run(), and the connection for its end.
    void complete_and_consume(Connection& c, ByteView bytes, const Moment& at);
    /// Handles all complete messages in `bytes` and returns the remainder.
    ByteView consume(Connection& c, ByteView bytes, const Moment& at);
    /// Handles values like the last one: most clients send many of one variable. Returns the remainder.
    ByteView consume_similar(Connection& c, ByteView bytes);
    ByteView consume_greeting(Connection& c, ByteView bytes);
    /// `rest`: the bytes that were received after `raw`.
    void on_message(Connection& c, const wire::MessageView& message, ByteView raw, ByteView rest,
                    const Moment& at);
    void on_packet_end(Connection& c, const Moment& at);
    void on_name(Connection& c, const wire::MessageView& message, const Moment& at);
    void on_notify(Connection& c, const wire::MessageView& message, ByteView raw, ByteView rest,
                   const Moment& at);
    /// Returns whether the message begins a run: a single one costs less without.
    static bool is_followed_by_similar(const Connection& c, const wire::MessageView& message, ByteView raw,
                                       ByteView rest);
    void on_timing(Connection& c, const wire::MessageView& message, const Moment& at);
    /// Answers the first request of a turn; further ones wait, so that no client keeps the others waiting.
    void on_request(Connection& c, std::string_view what, const Moment& at);
    void answer(Connection& c, std::string_view what, const Moment& at);
    bool may_answer(const Connection& c) const;
    /// Returns whether the stamp shows another time warp than the broker's, and reports it once per
    /// connection.
    bool runs_at_another_warp(Connection& c, double stamp, const Moment& at);
    /// Adds work that the client has caused; ends its turn if it has used up its share.
    void charge(Connection& c, std::size_t work);
    bool admit_source(Connection& c, std::string_view source);
    void note_refusal(Connection& c, const Error& why);
    /// Returns whether a further packet could be built for the client now.
    static bool has_packet(const Connection& c);

    void welcome(Connection& c, const Moment& at);
    /// Refuses a connection, and logs the reason.
    void poison(Connection& c, std::string_view reason, const Moment& at);
    void send_poison(Connection& c, std::string_view reason, const Moment& at);
    void settle_dispute(Connection& c, const Moment& at);
    void close(Connection& c, std::string reason) {
        if (c.closing.empty()) c.closing = std::move(reason);
    }
    /// Removes connections that close() has marked.
    void sweep(Connection& c, const Moment& at);
    void remove(Connection& c, const Moment& at);

    void check_connections(const Moment& at);
    void publish_housekeeping(const Moment& at);
    bool is_summary_wanted(std::string_view name) const;
    void publish(std::string_view name, wire::MessageView value, const Moment& at);
    void publish(std::string_view name, double value, const Moment& at);
    void publish(std::string_view name, std::string_view value, const Moment& at);

    const BrokerOptions options_;
    const std::string name_;  ///< MOOSDB_<community>
    Log& log_;
    ConnectionPool pool_{options_.limits};
    Exchange exchange_;
    std::unordered_map<ConnectionId, std::unique_ptr<Connection>> connections_;
    std::unordered_map<std::string_view, Connection*> by_name_;
    std::vector<Connection*> disputed_;
    std::vector<Connection*> asking_;    ///< with a request that was answered in this turn, or waits
    std::vector<ConnectionId> waiting_;  ///< with input for the next turn
    std::uint64_t turn_ = 0;
    std::vector<Closed> closed_;
    std::uint64_t next_id_ = 1;
    double started_;
    Traffic departed_;  ///< of closed connections
    EventHandler event_handler_;
    Instant next_check_;
    Instant next_housekeeping_;  ///< on the warped clock
};

}  // namespace caribou::bus
