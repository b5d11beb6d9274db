#include "adapters/body/motion_watchdog.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "platform/real_time_priority.hpp"
#include "platform/system_clock.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

/// A call of cut_motors that takes longer counts as unconfirmed.
constexpr Duration cut_limit = 100ms;

}  // namespace

MotionWatchdog::MotionWatchdog(motion::Body& body, Duration stall_after, Log& log)
    : body_(body),
      stall_after_(stall_after),
      log_(log),
      thread_({"watchdog", watchdog_priority}, log),
      timer_(thread_.loop().make_timer([this] { look(); })) {}

Result<void> MotionWatchdog::start() {
    beat();
    last_look_ = last_beat_.load();
    timer_->arm(thread_.loop().clock().now() + stall_after_);
    return thread_.start();
}

void MotionWatchdog::stop() { thread_.stop(); }

void MotionWatchdog::beat() { last_beat_ = thread_.loop().clock().now().time_since_epoch().count(); }

MotionWatchdog::Cut MotionWatchdog::latest_cut() const {
    const Duration::rep since = cutting_since_;
    if (since != 0 && SystemClock().now() - Instant(Duration(since)) > cut_limit) return Cut::unconfirmed;
    return latest_;
}

void MotionWatchdog::look() {
    const Instant now = thread_.loop().clock().now();
    last_look_ = now.time_since_epoch().count();
    ++looks_;
    const Instant beat{Duration(last_beat_)};
    const bool stalled = now - beat > stall_after_;
    const bool is_new = stalled && !stalled_;
    if (is_new) {
        ++cuts_;
        latest_ = Cut::none;
        reported_ = false;
    }
    stalled_ = stalled;
    if (is_new || (stalled && latest_ != Cut::confirmed)) cut(now - beat);
    timer_->arm(std::max(beat + stall_after_ + std::chrono::microseconds(1), now + stall_after_ / 10));
}

/// Cuts before it logs, because a log may block, too.
void MotionWatchdog::cut(Duration silence) {
    cutting_since_ = SystemClock().now().time_since_epoch().count();
    const Result<void> done = body_.cut_motors();
    latest_ = done ? Cut::confirmed : Cut::unconfirmed;
    cutting_since_ = 0;
    const auto milliseconds = silence / std::chrono::milliseconds(1);
    if (done) {
        log_.error(fmt::format("propulsion was silent for {} ms: the motors are cut", milliseconds));
    } else if (!std::exchange(reported_, true)) {
        log_.error(
            fmt::format("propulsion was silent for {} ms: cutting the motors is NOT confirmed, cut their "
                        "supply: {}",
                        milliseconds, done.error().message));
    }
}

}  // namespace caribou
