#include "loop/warp.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou {
namespace {

/// Converts to a Duration, clamped to the representable range.
Duration saturated(double nanoseconds) {
    if (nanoseconds >= static_cast<double>(Duration::max().count())) return Duration::max();
    if (nanoseconds <= static_cast<double>(Duration::min().count())) return Duration::min();
    return Duration(static_cast<Duration::rep>(nanoseconds));
}

Instant later(Instant instant, Duration by) {
    return by < Instant::max() - instant ? instant + by : Instant::max();
}

/// A timer of the underlying loop, armed for the instant that corresponds to the warped one.
class WarpedTimer final : public Timer {
public:
    WarpedTimer(const WarpedClock& clock, std::unique_ptr<Timer> below)
        : clock_(clock), below_(std::move(below)) {}

    void arm(Instant due) override { below_->arm(clock_.below_at(due)); }
    void cancel() override { below_->cancel(); }

private:
    const WarpedClock& clock_;
    std::unique_ptr<Timer> below_;
};

}  // namespace

Result<Warp> Warp::make(double factor) {
    // Written so that not-a-number is refused too.
    if (!(factor > 0 && factor <= max_factor))
        return fail(Code::invalid_argument,
                    fmt::format("time warp {}: write a factor above 0 and up to {}; 1 is real time", factor,
                                max_factor));
    return Warp{factor};
}

WarpedClock::WarpedClock(const Clock& below, Warp warp) : below_(below), warp_(warp), start_(below.now()) {
    check(warp.factor > 0 && warp.factor <= Warp::max_factor, "a warp's factor has passed Warp::make");
}

Instant WarpedClock::at(Instant below) const {
    if (warp_.factor == 1.0) return below;  // exact, for any length of time
    const Duration passed = below - start_;
    return later(start_, saturated(static_cast<double>(passed.count()) * warp_.factor));
}

Instant WarpedClock::now() const { return at(below_.now()); }

WallTime WarpedClock::wall() const {
    const Instant below = below_.now();
    return below_.wall() + (at(below) - below);
}

double WarpedClock::unix_seconds() const { return below_.unix_seconds() * warp_.factor; }

WarpedClock::Reading WarpedClock::read() const {
    const Instant below = below_.now();
    return {below, at(below), unix_seconds()};
}

Instant WarpedClock::below_at(Instant warped) const {
    if (warp_.factor == 1.0 || warped <= start_) return warped;
    const double passed = static_cast<double>((warped - start_).count()) / warp_.factor;
    Instant below = later(start_, saturated(std::floor(passed)));
    // Correct rounding errors.
    while (at(below) < warped && below < Instant::max()) below += Duration(1);
    while (below > start_ && at(below - Duration(1)) >= warped) below -= Duration(1);
    return below;
}

std::unique_ptr<Timer> WarpedLoop::make_timer(Task on_due) {
    return std::make_unique<WarpedTimer>(clock_, below_.make_timer(std::move(on_due)));
}

}  // namespace caribou
