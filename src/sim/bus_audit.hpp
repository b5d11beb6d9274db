#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bus/broker.hpp"
#include "bus/exchange.hpp"
#include "bus/limits.hpp"
#include "bus/wildcard.hpp"
#include "loop/time.hpp"
#include "sim/reader_account.hpp"
#include "sim/tapped_network.hpp"
#include "wire/message.hpp"

namespace caribou::sim {

/// Verifies from outside that a broker keeps its guarantees. It observes every message as the broker reads it
/// and as it leaves the broker, keeps its own record of registrations and values, and reports violations:
///
/// - Latest value: the broker stores the last valid value that arrived, and no other.
/// - No unsolicited mail: a connection receives a value only if it was registered for the variable, by name
///   or by pattern, when the value arrived, or if the value was the latest one when it registered. It
///   receives the broker's own variables only if it has ever registered them, and answers only to requests.
/// - Order: for one variable it never receives an older value after a newer one, and none twice.
/// - Interval: two values of one registration are never queued closer together than its interval.
/// - No silent loss: a value not delivered to a reader without interval is counted by the broker.
/// - Exactly once: no value of a client arrives twice, and the values of each client arrive in the order
///   written.
/// - Names: a name is refused only if its holder has sent something within `name_alive`, because a refused
///   client may never try again.
/// - Synchronous mode: never more packets to a client than from it; no empty packet to other clients.
/// - Bounded memory: see check_backlog().
///
/// Every written value carries `#` and a number in its aux text, increasing across all writers.
class BusAudit {
public:
    /// `broker_source` is the source of the variables that the broker writes itself.
    explicit BusAudit(std::string broker_source, Duration name_alive = bus::BrokerLimits{}.name_alive)
        : broker_source_(std::move(broker_source)), name_alive_(name_alive) {}

    /// Must be called when the broker reads from a connection or has written to it.
    void on_heard(StreamNumber connection, Instant now) { connections_[connection].last_heard = now; }
    void on_packet_said(StreamNumber connection);
    void on_said(StreamNumber connection, const wire::MessageView& message, Instant now);
    void on_packet_told(StreamNumber connection, std::size_t messages);
    void on_told(StreamNumber connection, const wire::MessageView& message, Instant now);
    void on_gone(StreamNumber connection) { connections_.erase(connection); }

    /// Checks that the broker stores the latest values.
    void check_values(const bus::Exchange& exchange);
    /// Checks that the backlog of each client, and of all clients together, is within the limits. A limit
    /// applies to the messages waiting behind the packet being sent; so that packet, which may have reached
    /// the limit before it was sealed, and one message of maximum size are allowed in addition.
    void check_backlog(const bus::Broker& broker, const bus::BrokerLimits& limits, std::size_t largest);
    /// Checks that readers missed no more values than the broker has counted as dropped.
    void check_losses(const bus::Broker& broker);
    /// Records a violation.
    void note(std::string violation) { violations_.push_back(std::move(violation)); }

    const std::vector<std::string>& violations() const { return violations_; }
    /// Returns the number in the aux text of the variable's latest value, or nullopt if it has none.
    std::optional<std::uint64_t> latest(std::string_view key) const;
    /// Returns the type that the next value must have; none if any is valid.
    wire::DataType type_of(std::string_view key) const;
    /// Returns the position of a numbered value in the order of arrival, or nullopt if it has not arrived.
    std::optional<std::uint64_t> place_of(std::uint64_t number) const;
    std::uint64_t writes() const { return writes_.size(); }
    std::uint64_t told() const { return told_; }

    /// Returns the number in a value's aux text.
    static std::optional<std::uint64_t> number_in(std::string_view aux);

private:
    struct Variable {
        wire::DataType type = wire::DataType::none;
        Write* latest = nullptr;
    };
    struct Connection {
        std::string name;
        bool named = false;
        bool welcome = false;
        bool synchronous = false;
        std::map<std::string, ReaderAccount, std::less<>> readers;
        std::vector<bus::Wildcard> filters;
        std::vector<bus::Wildcard> filters_ever;
        bool has_asked = false;
        Instant last_heard{};
        std::uint64_t packets_said = 0;  ///< since the welcome
        std::uint64_t packets_told = 0;  ///< without the welcome
    };

    void on_name(Connection& c, const wire::MessageView& message);
    void on_write(const wire::MessageView& message, Instant now);
    void apply_filters(Connection& c, const wire::MessageView& message, Instant now);
    void on_wildcard(Connection& c, const wire::MessageView& message, Instant now);
    void on_wildcard_end(Connection& c, const wire::MessageView& message);
    void on_clear(Instant now);
    void on_value_told(Connection& c, const wire::MessageView& message, Instant now);
    void on_refused(const Connection& c, Instant now);
    bool has_ever_registered(const Connection& c, std::string_view key) const;
    void check_value(const std::string& key, const Variable& variable, const bus::Variable* kept);

    std::string broker_source_;
    Duration name_alive_;
    std::map<StreamNumber, Connection> connections_;
    std::map<std::string, Variable, std::less<>> variables_;
    std::deque<Write> writes_;
    std::map<std::uint64_t, std::uint64_t> places_;  ///< by number
    /// highest number that arrived from each writer
    std::map<std::string, std::uint64_t, std::less<>> last_;
    std::uint64_t told_ = 0;
    std::vector<std::string> violations_;
};

}  // namespace caribou::sim
