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

/// How long a client is asked to pause after each of its sends, by its name.
struct ResponsePause {
    std::string client_pattern;
    Duration pause;
};

struct BrokerOptions {
    std::string community = "#1";
    std::string hostname = "localhost";  ///< told to clients in the welcome
    double warp_factor = 1;              ///< how fast Moment::warped runs
    BrokerLimits limits{};
    std::vector<ResponsePause> response{};  ///< the first that matches counts
    /// A TIMING message that took longer is reported.
    Duration warning_latency = std::chrono::milliseconds(50);
    /// Refuse values under another name than the writer's own, but for these.
    bool strict = false;
    std::vector<std::string> allowed_sources{};
};

/// The broker: bytes of connections in, bytes for connections out. Opens nothing, waits for
/// nothing; bus/broker_server.hpp joins it to a network.
///
/// After any call with a Moment there may be output (take_ready, gather, sent) and connections to
/// close (take_closed).
class Broker {
public:
    Broker(BrokerOptions options, Log& log, const Moment& at);
    ~Broker();

    /// A connection was accepted. Refused when there are too many.
    Result<ConnectionId> connect(std::string peer, const Moment& at);
    /// Bytes arrived. They are used up.
    void receive(ConnectionId id, ByteView bytes, const Moment& at);
    /// The connection has ended.
    void disconnect(ConnectionId id, std::string_view reason, const Moment& at);
    /// Does what time asks for. To be called at next_wake() at the latest.
    void tick(const Moment& at);
    Instant next_wake(const Moment& at) const;

    /// The connections that may have something new to send, each once.
    void take_ready(std::vector<ConnectionId>& into);
    /// The next bytes for a connection, or none. The pieces hold until the next call on the broker.
    std::size_t gather(ConnectionId id, std::span<ByteView> pieces, const Moment& at);
    /// Returns whether there is more to gather.
    bool sent(ConnectionId id, std::size_t size, const Moment& at);

    struct Closed {
        ConnectionId id;
        std::string reason;
    };
    /// The connections that the broker has ended, once. Their ids are gone.
    std::vector<Closed> take_closed() { return std::exchange(closed_, {}); }

    /// Tells everyone who registered for DB_NOTICE, and remembers it there.
    void notice(std::string_view text, const Moment& at) { publish("DB_NOTICE", text, at); }
    /// Hears what DB_EVENT and DB_NOTICE are told, with the stamp.
    using EventHandler = std::move_only_function<void(std::string_view text, double stamp)>;
    void on_event(EventHandler handler) { event_handler_ = std::move(handler); }
    /// A value from a person at the broker's own window, under `source`.
    Result<void> poke(std::string_view source, wire::MessageView value, const Moment& at);

    Exchange& exchange() { return exchange_; }
    const Exchange& exchange() const { return exchange_; }
    std::size_t client_count() const { return by_name_.size(); }
    /// The number of connections whose handshake has begun and is not finished.
    std::size_t handshake_count() const;
    const BrokerLimits& limits() const { return options_.limits; }
    const Connection* find_client(std::string_view name) const;
    /// All welcome clients, the newest first.
    std::vector<const Connection*> clients() const;
    /// Unsent bytes over all clients.
    std::size_t backlog() const { return pool_.backlog; }
    /// Of all connections, those that are gone among them.
    Traffic traffic() const;
    const std::string& name() const { return name_; }
    /// The stamp of the start, or of the last DB_CLEAR.
    double started() const { return started_; }

private:
    Connection* find(ConnectionId id) const;
    /// Handles what can be handled and returns the rest.
    ByteView consume(Connection& c, ByteView bytes, const Moment& at);
    ByteView consume_greeting(Connection& c, ByteView bytes);
    void on_message(Connection& c, const wire::MessageView& message, ByteView raw, const Moment& at);
    void on_packet_end(Connection& c, const Moment& at);
    void on_name(Connection& c, const wire::MessageView& message, const Moment& at);
    void on_notify(Connection& c, const wire::MessageView& message, ByteView raw, const Moment& at);
    void on_timing(Connection& c, const wire::MessageView& message, const Moment& at);
    void on_request(Connection& c, std::string_view what, const Moment& at);
    /// Returns whether the stamp shows another time warp than the broker's, and reports it once per
    /// connection.
    bool runs_at_another_warp(Connection& c, double stamp, const Moment& at);
    bool admit_source(Connection& c, std::string_view source);
    void note_refusal(Connection& c, const Error& why);
    /// Whether another packet could be made for it now.
    static bool has_packet(const Connection& c);

    void welcome(Connection& c, const Moment& at);
    void poison(Connection& c, std::string_view reason, const Moment& at);
    void settle_dispute(Connection& c, const Moment& at);
    void close(Connection& c, std::string reason) {
        if (c.closing.empty()) c.closing = std::move(reason);
    }
    /// Removes the connections that close() has marked.
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
    std::vector<Closed> closed_;
    std::uint64_t next_id_ = 1;
    double started_;
    Traffic departed_;  ///< of connections that are gone
    EventHandler event_handler_;
    Instant next_check_;
    Instant next_housekeeping_;  ///< on the warped clock
};

}  // namespace caribou::bus
