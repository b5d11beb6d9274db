#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "wire/message.hpp"

namespace caribou::sim {

/// A value that reached the broker and was valid. Its aux text tells it from all others.
struct Write {
    wire::Message message;
    std::uint64_t number = 0;  ///< counts the writes of all variables in order of arrival
    Instant arrived{};
    std::optional<Instant> replaced{};  ///< when the next value, or a clear, took its place
};

/// What a broker owes to one connection about one variable, and what it has told it of that.
/// Notices whatever is told without being owed, too late in order, changed, or too early.
///
/// Owed is: each value that arrives while the connection is registered, and at each registration
/// the latest value there is, told `again` (with the id -1). A value may be passed over in favour
/// of a later one: by right if it was owed with an interval or from before a clear, else it counts
/// as lost.
class ReaderAccount {
public:
    /// `latest`: the value that the variable has now, if any. Values outlive the account.
    void on_register(Duration interval, const Write* latest, Instant now);
    void on_unregister();
    void on_write(const Write& write);
    void on_clear();
    /// The error says which promise was broken.
    Result<void> on_told(const wire::MessageView& message, Instant now);

    bool registered() const { return registered_; }
    /// Values that were passed over without a right to it.
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
        Instant since;  ///< the earliest instant at which it can have been queued
        std::uint64_t epoch;
    };

    Result<void> check_interval(const Owed& owed, Instant now);

    bool registered_ = false;
    Duration interval_{0};
    /// Intervals are measured within one: a registration or a clear begins the next.
    std::uint64_t epoch_ = 0;
    std::deque<Owed> owed_;
    std::optional<Told> last_;
    std::uint64_t last_number_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace caribou::sim
