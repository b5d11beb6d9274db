#pragma once

#include <cstdint>

#include "loop/time.hpp"

namespace caribou::bus {

/// When iterate and on_new_mail are called. The numbers are those of `IterateMode` in mission files.
///
/// | mode | on_new_mail | iterate |
/// |---|---|---|
/// | regular_iterate_and_mail | just before iterate, if there is mail | every 1/app_tick |
/// | comms_driven_iterate_and_mail | as mail arrives, at most at max_app_tick | after on_new_mail |
/// | regular_iterate_and_comms_driven_mail | as mail arrives, at most at max_app_tick | every 1/app_tick |
///
/// In comms_driven_iterate_and_mail, iterate is also called after 1/app_tick without mail.
enum class IterateMode {
    regular_iterate_and_mail = 0,
    comms_driven_iterate_and_mail = 1,
    regular_iterate_and_comms_driven_mail = 2,
};

struct IteratePace {
    IterateMode mode = IterateMode::regular_iterate_and_mail;
    double app_tick = 5;      ///< Hz; <= 0: as fast as possible
    double max_app_tick = 5;  ///< Hz; <= 0: no limit
};

/// Computes when an app is called. Regular calls are on an absolute grid: a late call does not delay the next
/// one. Grid points that pass while the app is busy are skipped and counted.
class IterateSchedule {
public:
    explicit IterateSchedule(const IteratePace& pace);

    /// Starts the grid at `now`; iterate is due at once.
    void start(Instant now);

    struct Calls {
        bool mail = false;  ///< before iterate
        bool iterate = false;

        friend bool operator==(const Calls&, const Calls&) = default;
    };
    /// Returns which calls are due. If there are any, finished() must be called after them.
    Calls begin(Instant now, bool mail_waits);
    /// Must be called when the calls have returned.
    void finished(Instant now);
    /// Returns when to call begin() next; until then nothing is due unless mail arrives.
    Instant next(bool mail_waits) const;

    /// Returns the number of grid points skipped because the app was busy.
    std::uint64_t overruns() const { return overruns_; }

private:
    Instant due() const { return point(next_); }
    Instant point(std::uint64_t index) const;
    void anchor_at(Instant now);
    void skip_to(std::uint64_t index);
    /// Returns the first grid point at or after `now`.
    std::uint64_t first_point_from(Instant now) const;

    IterateMode mode_;
    bool unlimited_;    ///< calls of iterate follow one another without a pause
    double tick_;       ///< of the grid, Hz
    Duration spacing_;  ///< minimum between two deliveries of mail
    Instant anchor_{};
    std::uint64_t next_ = 0;  ///< next grid point
    Instant mail_from_{};
    bool iterated_ = false;
    std::uint64_t overruns_ = 0;
};

}  // namespace caribou::bus
