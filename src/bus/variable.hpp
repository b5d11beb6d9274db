#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bus/message_run.hpp"
#include "bus/moment.hpp"
#include "bus/variable_table.hpp"
#include "bus/wildcard.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

struct Variable;

/// A reader and writer of variables: a connection as the exchange sees it. The members belong to the
/// exchange.
class Member {
public:
    Member() = default;
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    virtual ~Member() = default;

    /// Delivers messages of one variable. They may be shared with other members and must not be modified.
    virtual void deliver(const MessageRun& run) = 0;
    virtual std::string_view name() const = 0;

    VariableTable subscribed;  ///< the number is an index into Variable::subscriptions
    VariableTable published;
    std::vector<Wildcard> wildcards;
};

/// Estimate of how often a variable is written: updated at most every half second, to the mean of the old and
/// the measured rate; zero after ten seconds without a write.
class WriteRate {
public:
    void on_write(Instant now) { on_writes(now, 1); }
    /// `count` writes at the same time.
    void on_writes(Instant now, std::size_t count);
    double hertz() const { return hertz_; }

private:
    Instant since_{};
    std::uint64_t writes_ = 0;
    bool started_ = false;
    double hertz_ = 0;
};

/// One member's subscription to one variable.
struct Subscription {
    Member* member;
    Duration interval{0};
    Instant last_sent{};  ///< valid if sent_any
    bool sent_any = false;
    bool pending = false;  ///< a newer value is delayed until the interval has passed
};

/// A variable and its latest value.
struct Variable {
    explicit Variable(std::string n) : name(std::move(n)) {}

    const std::string name;
    wire::DataType type = wire::DataType::none;
    /// The latest message as delivered; null if never written or cleared.
    SharedBytes latest;
    double written = -1;       ///< time stamp of the last write, by the broker's clock
    std::uint64_t writes = 0;  ///< since the start or the last DB_CLEAR
    WriteRate rate;
    Member* last_writer = nullptr;
    std::vector<Subscription> subscriptions;
    std::optional<std::uint32_t> journal_number{};  ///< id in the journal
    bool journal_changed = false;                   ///< the latest value is not in the journal yet

    bool is_written() const { return latest != nullptr; }
    /// Returns the latest message, whose fields refer to `latest`. Must only be called if is_written().
    wire::MessageView value() const;
};

}  // namespace caribou::bus
