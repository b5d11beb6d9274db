#pragma once

// Private to platform.

#include <boost/intrusive/set.hpp>
#include <compare>
#include <cstdint>
#include <optional>

#include "loop/loop.hpp"

namespace caribou {

/// A queue of timers, sorted by due time; equal ones in the order of arming. Has no clock and does not
/// allocate. Moving a timer to a later time, which a watchdog does for every message, only stores the new
/// time: its position is corrected when the old time is reached.
class TimerQueue {
    struct Place {
        Instant due{};
        std::uint64_t armed = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    using Hook = boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

public:
    /// One timer. Removed from its queue when destroyed, also from within its own task.
    class Entry : public Hook {
    public:
        explicit Entry(Task on_due) : on_due_(std::move(on_due)) {}
        ~Entry();
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

    private:
        friend class TimerQueue;
        void fire();

        Place queued_;               // its position in the order: at or before wanted_
        Place wanted_;               // time it was last armed for
        bool collected_ = false;     // is in due_
        bool* destroyed_ = nullptr;  // set while the task runs
        Task on_due_;
    };

    void arm(Entry& entry, Instant due);
    void cancel(Entry& entry);
    /// Returns a time before which no timer is due; nullopt if none is armed.
    std::optional<Instant> next() const;
    /// Runs the tasks of all timers that are due at `now`. Timers armed by these tasks run in the next call
    /// at the earliest; timers canceled by them do not run.
    void run_due(Instant now);

private:
    struct InOrder {
        bool operator()(const Entry& a, const Entry& b) const { return a.queued_ < b.queued_; }
    };
    using Entries = boost::intrusive::set<Entry, boost::intrusive::constant_time_size<false>,
                                          boost::intrusive::compare<InOrder>>;

    std::uint64_t armed_ = 0;
    Entries waiting_;
    Entries due_;
};

}  // namespace caribou
