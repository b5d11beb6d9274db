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

/// Holds a broker to its promises from outside. It is shown every message as the broker reads it
/// and as it leaves the broker, keeps its own account of who has registered what and which values
/// have arrived, and notes what does not fit:
///
/// - Latest value wins: the broker keeps the last valid value that arrived, and no other.
/// - Nothing to the wrong reader: a connection is told a value only if it was registered for the
///   variable, by name or by pattern, at the instant at which the value arrived; or if the value was
///   the latest one when it registered. Of the broker's own variables it is told only if it has
///   registered them at some time; answers, only if it has asked.
/// - Order: of one variable it is never told an older value after a newer one, and none twice.
/// - Interval: two values of one registration are never queued closer together than its interval.
/// - Nothing is lost in silence: what a reader without interval is not told is counted by the broker.
/// - Once: no client's value arrives twice, and each client's arrive in the order written.
/// - Names: nobody is refused its name but for a holder of whom something was heard within
///   `name_alive`; a client that was refused may never try again.
/// - Lock-step: never more packets to a synchronous client than from it, no empty one to another.
/// - Bounded memory: see check_backlog().
///
/// Every value that is written carries `#` and a number in its aux text, rising over all writers.
class BusAudit {
public:
    /// `broker_source`: the name that the broker writes its own variables under.
    explicit BusAudit(std::string broker_source, Duration name_alive = bus::BrokerLimits{}.name_alive)
        : broker_source_(std::move(broker_source)), name_alive_(name_alive) {}

    /// The broker reads from a connection, or has written to it.
    void on_heard(StreamNumber connection, Instant now) { connections_[connection].last_heard = now; }
    void on_packet_said(StreamNumber connection);
    void on_said(StreamNumber connection, const wire::MessageView& message, Instant now);
    void on_packet_told(StreamNumber connection, std::size_t messages);
    void on_told(StreamNumber connection, const wire::MessageView& message, Instant now);
    void on_gone(StreamNumber connection) { connections_.erase(connection); }

    /// Whether what the broker keeps is what arrived last.
    void check_values(const bus::Exchange& exchange);
    /// Whether what waits for each client, and for all together, is within the limits. A limit acts
    /// on what waits behind the packet that is on its way; so that packet, which can have grown to
    /// the limit before it was sealed, and one largest message of the world come on top.
    void check_backlog(const bus::Broker& broker, const bus::BrokerLimits& limits, std::size_t largest);
    /// Whether what readers were not told is no more than what the broker says it let go.
    void check_losses(const bus::Broker& broker);
    void note(std::string violation) { violations_.push_back(std::move(violation)); }

    const std::vector<std::string>& violations() const { return violations_; }
    /// The number in the aux text of the variable's latest value; none: it has no value.
    std::optional<std::uint64_t> latest(std::string_view key) const;
    /// The type that the next value has to have; none: any.
    wire::DataType type_of(std::string_view key) const;
    /// The place of a numbered value in order of arrival, if it has arrived.
    std::optional<std::uint64_t> place_of(std::uint64_t number) const;
    std::uint64_t writes() const { return writes_.size(); }
    std::uint64_t told() const { return told_; }

    /// The number in a value's aux text.
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
        std::uint64_t packets_said = 0;  ///< since it is welcome
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
    std::map<std::uint64_t, std::uint64_t> places_;           ///< by number
    std::map<std::string, std::uint64_t, std::less<>> last_;  ///< number that arrived of each writer
    std::uint64_t told_ = 0;
    std::vector<std::string> violations_;
};

}  // namespace caribou::sim
