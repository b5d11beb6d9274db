#include "bus/iterate_schedule.hpp"

#include <algorithm>

namespace caribou::bus {
namespace {

/// Limits an app without a rate limit, so that the rest of the program runs between two calls of iterate.
constexpr double fastest = 1e6;

double grid_tick(const IteratePace& pace) {
    double tick = pace.app_tick > 0 ? pace.app_tick : fastest;
    if (pace.mode == IterateMode::comms_driven_iterate_and_mail && pace.max_app_tick > 0)
        tick = std::min(tick, pace.max_app_tick);
    return std::min(tick, fastest);
}

}  // namespace

IterateSchedule::IterateSchedule(const IteratePace& pace)
    : mode_(pace.mode),
      unlimited_(grid_tick(pace) == fastest),
      tick_(grid_tick(pace)),
      spacing_(pace.max_app_tick > 0 ? from_seconds(1 / pace.max_app_tick) : Duration::zero()) {}

void IterateSchedule::start(Instant now) {
    anchor_ = mail_from_ = now;
    next_ = 0;
}

Instant IterateSchedule::point(std::uint64_t index) const {
    return anchor_ + from_seconds(static_cast<double>(index) / tick_);
}

/// Restarts the grid: the next point is one period from now.
void IterateSchedule::anchor_at(Instant now) {
    anchor_ = now;
    next_ = 1;
}

void IterateSchedule::skip_to(std::uint64_t index) {
    if (index <= next_ || unlimited_) return;
    overruns_ += index - next_;
    next_ = index;
}

std::uint64_t IterateSchedule::first_point_from(Instant now) const {
    if (now <= anchor_) return 0;
    // The estimate may be off by one or two points; the loops below correct it.
    const double about = to_seconds(now - anchor_) * tick_;
    auto index = static_cast<std::uint64_t>(std::max(0.0, about - 2));
    while (point(index) < now) ++index;
    return index;
}

IterateSchedule::Calls IterateSchedule::begin(Instant now, bool mail_waits) {
    const bool regular = mode_ == IterateMode::regular_iterate_and_mail;
    const bool coupled = mode_ == IterateMode::comms_driven_iterate_and_mail;
    const bool tick = now >= due();
    Calls calls;
    calls.mail = mail_waits && (regular ? tick : now >= mail_from_);
    calls.iterate = coupled ? calls.mail || (tick && !mail_waits) : tick;
    if (calls.mail || (coupled && calls.iterate)) mail_from_ = now + spacing_;
    if (coupled && calls.mail) {
        anchor_at(now);
    } else if (calls.iterate) {
        const std::uint64_t first = first_point_from(now);
        skip_to(point(first) == now ? first : first - 1);
        ++next_;
    }
    iterated_ = calls.iterate;
    return calls;
}

void IterateSchedule::finished(Instant now) {
    if (unlimited_) return anchor_at(now);
    // Points that passed while only mail was handled are late, not skipped.
    if (iterated_) skip_to(first_point_from(now));
}

Instant IterateSchedule::next(bool mail_waits) const {
    if (!mail_waits || mode_ == IterateMode::regular_iterate_and_mail) return due();
    if (mode_ == IterateMode::comms_driven_iterate_and_mail) return mail_from_;
    return std::min(due(), mail_from_);
}

}  // namespace caribou::bus
