#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bus/moment.hpp"
#include "bus/outbox.hpp"
#include "bus/variable_table.hpp"
#include "bus/wildcard.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

struct Variable;

/// Somebody who reads and writes variables: a connection, as the exchange sees it. What stands
/// here belongs to the exchange.
class Member {
public:
    Member() = default;
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    virtual ~Member() = default;

    /// A message for this member. It may be shared with others and must not be changed.
    virtual void deliver(const SharedBytes& message) = 0;
    virtual std::string_view name() const = 0;

    VariableTable subscribed;  ///< the number is the place among Variable::subscriptions
    VariableTable published;
    std::vector<Wildcard> wildcards;
};

/// How often a variable is written: updated at most every half second, halfway towards the new
/// measurement each time, and zero again after ten seconds without a write.
class WriteRate {
public:
    void on_write(Instant now);
    double hertz() const { return hertz_; }

private:
    Instant since_{};
    std::uint32_t writes_ = 0;
    bool started_ = false;
    double hertz_ = 0;
};

/// One member's wish to hear of one variable.
struct Subscription {
    Member* member;
    Duration interval{0};
    Instant last_sent{};  ///< meaningful if sent_any
    bool sent_any = false;
    bool pending = false;  ///< a newer value waits for the interval to pass
};

/// A variable and its latest value.
struct Variable {
    explicit Variable(std::string n) : name(std::move(n)) {}

    const std::string name;
    wire::DataType type = wire::DataType::none;
    /// The latest message as it was delivered, or nothing if it was never written (or cleared).
    SharedBytes latest;
    double written = -1;       ///< stamp of the last write, by the broker's clock
    std::uint64_t writes = 0;  ///< since the start or the last clear
    WriteRate rate;
    Member* last_writer = nullptr;
    std::vector<Subscription> subscriptions;
    std::optional<std::uint32_t> journal_number{};  ///< by which the journal knows it
    bool journal_changed = false;                   ///< the journal has not written its latest value

    bool is_written() const { return latest != nullptr; }
    /// The latest message's fields; they stand in `latest`. Only if is_written().
    wire::MessageView value() const;
};

}  // namespace caribou::bus
