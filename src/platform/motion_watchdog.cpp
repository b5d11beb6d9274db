#include "platform/motion_watchdog.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "platform/real_time_priority.hpp"
#include "platform/system_clock.hpp"

namespace caribou {

MotionWatchdog::MotionWatchdog(robot::Body& body, Duration stall_after, Log& log)
    : body_(body),
      stall_after_(stall_after),
      log_(log),
      thread_({"watchdog", watchdog_priority}, log),
      timer_(thread_.loop().make_timer([this] { look(); })) {}

Result<void> MotionWatchdog::start() {
    beat();
    timer_->arm(thread_.loop().clock().now() + stall_after_);
    return thread_.start();
}

void MotionWatchdog::stop() { thread_.stop(); }

void MotionWatchdog::beat() { last_beat_ = thread_.loop().clock().now().time_since_epoch().count(); }

void MotionWatchdog::look() {
    const Instant now = thread_.loop().clock().now();
    const Instant beat{Duration(last_beat_)};
    const bool stalled = now - beat > stall_after_;
    if (stalled && !stalled_) {
        body_.cut_motors();
        ++cuts_;
        log_.error(fmt::format("propulsion has not shown itself for {} ms: the motors are cut",
                               (now - beat) / std::chrono::milliseconds(1)));
    }
    stalled_ = stalled;
    timer_->arm(std::max(beat + stall_after_ + std::chrono::microseconds(1), now + stall_after_ / 10));
}

}  // namespace caribou
