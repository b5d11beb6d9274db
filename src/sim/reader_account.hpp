#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "wire/message.hpp"

namespace caribou::sim {

/// A valid value that reached the broker. Its aux text is unique.
struct Write {
    wire::Message message;
    std::uint64_t number = 0;  ///< position in the order of arrival, across all variables
    Instant arrived{};
    std::optional<Instant> replaced{};  ///< when the next value, or a clear, replaced it
};

/// The values of one variable that a broker must deliver to one connection, and those delivered so far.
/// Reports values that are unsolicited, out of order, modified, or too early.
///
/// A broker must deliver each value that arrives while the connection is registered, and at each registration
/// the latest value, marked as `again` (with the id -1). It may skip a value in favor of a later one:
/// legitimately if the value is subject to an interval or older than a clear, otherwise the value counts as
/// lost.
class ReaderAccount {
public:
    /// `latest` is the variable's present value, or null. Values must outlive the account.
    void on_register(Duration interval, const Write* latest, Instant now);
    void on_unregister();
    /// A valid value of the variable has arrived at the broker.
    void on_write(const Write& write);
    /// All values were cleared: older ones need not be delivered.
    void on_clear();
    /// Checks a delivered value. The error names the violated guarantee.
    Result<void> on_told(const wire::MessageView& message, Instant now);

    bool registered() const { return registered_; }
    /// Returns the number of values skipped without justification.
    std::uint64_t lost() const { return lost_; }

private:
    struct Owed {
        const Write* write;
        bool again;
        Duration interval;
        Instant since;
        std::uint64_t epoch;
        bool waived;  ///< by a clear
    };
    struct Told {
        Instant since;  ///< earliest time at which it can have been queued
        std::uint64_t epoch;
    };

    Result<void> check_interval(const Owed& owed, Instant now);

    bool registered_ = false;
    Duration interval_{0};
    /// Intervals are checked within one epoch; a registration or a clear starts the next.
    std::uint64_t epoch_ = 0;
    std::deque<Owed> owed_;
    std::optional<Told> last_;
    std::uint64_t last_number_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace caribou::sim
