#pragma once

#include <cstdint>

#include "loop/time.hpp"

namespace caribou::bus {

/// How iterate and mail go together. The numbers are those of `IterateMode` in mission files.
///
/// | mode | on_new_mail | iterate |
/// |---|---|---|
/// | regular_iterate_and_mail | just before iterate, if there is mail | every 1/app_tick |
/// | comms_driven_iterate_and_mail | as mail arrives, at most max_app_tick times a second | after each
/// on_new_mail; by itself after 1/app_tick without mail | | regular_iterate_and_comms_driven_mail | as mail
/// arrives, at most max_app_tick times a second | every 1/app_tick |
enum class IterateMode {
    regular_iterate_and_mail = 0,
    comms_driven_iterate_and_mail = 1,
    regular_iterate_and_comms_driven_mail = 2,
};

struct IteratePace {
    IterateMode mode = IterateMode::regular_iterate_and_mail;
    double app_tick = 5;      ///< Hz; 0 or less: as fast as possible
    double max_app_tick = 5;  ///< Hz; 0 or less: no limit
};

/// Says when an app is to be called. What comes regularly comes on an absolute grid: a late call
/// does not make the next one late, and a point of the grid that passes while the app is busy is
/// left out and counted.
class IterateSchedule {
public:
    explicit IterateSchedule(const IteratePace& pace);

    /// The grid begins now: iterate is due at once.
    void start(Instant now);

    struct Calls {
        bool mail = false;  ///< before iterate
        bool iterate = false;

        friend bool operator==(const Calls&, const Calls&) = default;
    };
    /// What is to be called now. finished() has to follow when there was anything.
    Calls begin(Instant now, bool mail_waits);
    /// The calls have returned.
    void finished(Instant now);
    /// When to ask again; until then nothing is due unless mail arrives.
    Instant next(bool mail_waits) const;

    /// Points of the grid that passed while the app was busy.
    std::uint64_t overruns() const { return overruns_; }

private:
    Instant due() const { return point(next_); }
    Instant point(std::uint64_t index) const;
    void anchor_at(Instant now);
    void skip_to(std::uint64_t index);
    /// The first point of the grid that is not before `now`.
    std::uint64_t first_point_from(Instant now) const;

    IterateMode mode_;
    bool unlimited_;    ///< iterates follow one another without a pause
    double tick_;       ///< of the grid, Hz
    Duration spacing_;  ///< between two deliveries of mail, at least
    Instant anchor_{};
    std::uint64_t next_ = 0;  ///< the point of the grid that is due next
    Instant mail_from_{};
    bool iterated_ = false;
    std::uint64_t overruns_ = 0;
};

}  // namespace caribou::bus
