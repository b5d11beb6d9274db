#pragma once

// Private to platform.

#include <boost/intrusive/set.hpp>
#include <compare>
#include <cstdint>
#include <optional>

#include "loop/loop.hpp"

namespace caribou {

/// Which timers are due, in order of their instants, equal ones in order of arming. Knows no
/// clock, allocates nothing. Arming a timer for later than before, which a watchdog does with
/// every message, only stores the new instant: the old place in the order is corrected when its
/// turn comes.
class TimerQueue {
    struct Place {
        Instant due{};
        std::uint64_t armed = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    using Hook = boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

public:
    /// One timer. Leaves its queue when destroyed, also from inside its own task.
    class Entry : public Hook {
    public:
        explicit Entry(Task on_due) : on_due_(std::move(on_due)) {}
        ~Entry();
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

    private:
        friend class TimerQueue;
        void fire();

        Place queued_;               // where it stands in the order: at or before wanted_
        Place wanted_;               // what it was last armed for
        bool collected_ = false;     // stands in due_
        bool* destroyed_ = nullptr;  // set while the task runs
        Task on_due_;
    };

    void arm(Entry& entry, Instant due);
    void cancel(Entry& entry);
    /// No timer is due before this instant. Nothing: none is armed.
    std::optional<Instant> next() const;
    /// Runs the tasks of all timers that are due at `now`. What these tasks arm waits for the next
    /// call, even if it is due already; what they cancel does not run.
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
