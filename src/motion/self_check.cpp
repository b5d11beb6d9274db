#include "motion/self_check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "motion/guard.hpp"
#include "motion/wheel_feedback.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

constexpr StopCause check_cause = StopCause::self_check;
constexpr Duration start_limit = 5s;
constexpr Duration drive_time = 400ms;
/// A robot that turns without its gyroscope noticing counts as stuck after two seconds.
constexpr Duration drive_limit = 1500ms;
constexpr Duration order_pause = 100ms;
constexpr Duration hold_time = 200ms;
constexpr Duration cut_patience = 2s;    ///< beyond the limit of the guard, before it counts as missing
constexpr Duration restore_limit = 15s;  ///< for a driver to be started again

constexpr std::string_view body_was_absent =
    "the body was absent meanwhile: its driver was silent or has ended; the log has the reason";

long long ms(Duration time) { return std::chrono::ceil<std::chrono::milliseconds>(time).count(); }

bool at_rest(const WheelSpeeds& speeds, double still) {
    return std::abs(speeds.left) <= still && std::abs(speeds.right) <= still;
}

}  // namespace

SelfCheck::SelfCheck(SelfCheckParts parts, const SelfCheckSettings& settings, Instant now)
    : parts_(std::move(parts)), settings_(settings), begun_(now) {
    parts_.motion.permit({.motors = true, .sources = {MotionSource::operator_}});
}

bool SelfCheck::good() const {
    return phase_ == Phase::over && std::ranges::none_of(items_, [](const CheckItem& item) {
               return item.outcome == CheckOutcome::failed;
           });
}

void SelfCheck::on_report(const MotionReport& report) {
    report_ = report;
    if (report.driven != WheelSpeeds{}) moved_ = true;
    if (report.reasons.contains(MotionReason::body_absent)) was_absent_ = true;
    if (report.measured) has_encoders_ = true;
    if (report.reasons.contains(MotionReason::emergency_input) ||
        (report.stop && *report.stop != check_cause))
        foreign_stop_ = true;
    const bool counts = report.at >= asked_ && (phase_ != Phase::dead_man || moved_);
    if (counts && report.driven == WheelSpeeds{} && !zero_at_) zero_at_ = report.at;
}

bool SelfCheck::step(Instant now) {
    if (stored_ && !stored_at_) stored_at_ = now;
    if (phase_ == Phase::over || has_trouble()) return true;
    switch (phase_) {
        case Phase::starting: watch_starting(now); break;
        case Phase::driving: watch_driving(now); break;
        case Phase::stopping: watch_stopping(now); break;
        case Phase::resting: watch_resting(now); break;
        case Phase::storing: watch_storing(now); break;
        case Phase::holding: watch_holding(now); break;
        case Phase::releasing: watch_releasing(now); break;
        case Phase::dead_man: watch_dead_man(now); break;
        case Phase::starving: watch_starving(now); break;
        case Phase::restoring: watch_restoring(now); break;
        case Phase::over: break;
    }
    return phase_ == Phase::over;
}

bool SelfCheck::has_trouble() {
    if (foreign_stop_) {
        fail_item(
            "the emergency input, or a lost reading of it, has stopped the robot; release it and repeat");
    } else if (report_ && !report_->faults.empty()) {
        fail_item(fmt::format("the fault {} (docs/safety.md#faults); remove its cause and repeat",
                              to_string(report_->faults.strongest())));
    }
    return phase_ == Phase::over;
}

void SelfCheck::begin(Phase phase, Instant now) {
    phase_ = phase;
    begun_ = now;
    moved_ = false;
    was_absent_ = false;
}

void SelfCheck::add(CheckOutcome outcome, std::string text) {
    items_.push_back({std::string(names[items_.size()]), outcome, std::move(text)});
}

void SelfCheck::pass(std::string text) { add(CheckOutcome::passed, std::move(text)); }

void SelfCheck::fail_item(const std::string& text) {
    const std::string name(names[items_.size()]);
    add(CheckOutcome::failed, text);
    while (items_.size() < std::size(names))
        add(CheckOutcome::unverified, fmt::format("not tried, because `{}` failed", name));
    parts_.motion.permit({});
    parts_.feed(true);
    phase_ = Phase::over;
}

void SelfCheck::order(Instant now) {
    ordered_ = now;
    parts_.motion.order({.source = MotionSource::operator_, .command = *MovementCommand::of(1, -1)});
}

void SelfCheck::renew(Instant now) {
    if (now - ordered_ >= order_pause) order(now);
}

void SelfCheck::watch_starting(Instant now) {
    const bool ready = report_ && report_->permit.motors && !report_->stop &&
                       !report_->reasons.contains(MotionReason::body_absent);
    if (ready) return drive_towards(Phase::stopping, now);
    if (in_phase(now) >= start_limit)
        fail_item(fmt::format("the robot is not ready to move within {} s: {}", start_limit / 1s,
                              why_not_moving()));
}

void SelfCheck::drive_towards(Phase next, Instant now) {
    after_driving_ = next;
    begin(Phase::driving, now);
    order(now);
}

std::string SelfCheck::why_not_moving() const {
    if (!report_) return "propulsion does not report";
    if (report_->reasons.contains(MotionReason::cliff))
        return "its cliff sensors see no floor (cover them, with a board on the stand)";
    if (was_absent_) return std::string(body_was_absent);
    if (report_->driven != WheelSpeeds{})
        return "the wheels are ordered to turn, but the encoders do not count (`caribou body check` tries "
               "both)";
    return fmt::format("the reason is {} (docs/safety.md)", to_string(report_->reason));
}

/// Returns whether the wheels turn: by the encoders, or as ordered if there are none.
bool SelfCheck::wheels_turn() const {
    const double still = WheelFeedback::still_speed;
    if (!report_ || std::abs(report_->driven.left) <= still) return false;
    return report_->measured ? !at_rest(*report_->measured, still) : !has_encoders_;
}

void SelfCheck::watch_driving(Instant now) {
    renew(now);
    if (in_phase(now) >= drive_time && wheels_turn()) {
        if (after_driving_ == Phase::stopping) return stop_fully(now);
        cut_.reset();
        restored_ = false;
        parts_.feed(false);
        return begin(Phase::starving, now);
    }
    if (in_phase(now) >= drive_limit) fail_item("the wheels do not turn: " + why_not_moving());
}

void SelfCheck::stop_fully(Instant now) {
    asked_ = now;
    zero_at_.reset();
    stored_.reset();
    stored_at_.reset();
    parts_.motion.full_stop(check_cause);
    parts_.latch(true, [this](const StopLatch::Outcome& outcome) { stored_ = outcome; });
    begin(Phase::stopping, now);
}

void SelfCheck::watch_stopping(Instant now) {
    const Duration limit = settings_.motion.full_stop_time(settings_.motion.level_1) + lateness;
    if (!zero_at_ && in_phase(now) < limit + 1s) return;
    if (!zero_at_ || *zero_at_ - asked_ > limit)
        return fail_item(fmt::format(
            "zero was ordered {}; expected at most {} ms after the stop",
            zero_at_ ? fmt::format("after {} ms", ms(*zero_at_ - asked_)) : "not at all", ms(limit)));
    pass(fmt::format("zero ordered after {} ms; limit {} ms", ms(*zero_at_ - asked_), ms(limit)));
    begin(Phase::resting, now);
}

void SelfCheck::watch_resting(Instant now) {
    if (!has_encoders_) {
        add(CheckOutcome::unverified, "the body has no encoders; watch whether the wheels are at rest");
        return begin(Phase::storing, now);
    }
    if (report_->measured && at_rest(*report_->measured, WheelFeedback::still_speed)) {
        pass(fmt::format("at rest by the encoders {} ms after zero was ordered; limit {} ms",
                         ms(std::max(report_->at - *zero_at_, Duration::zero())), ms(rest_limit)));
        return begin(Phase::storing, now);
    }
    if (now - *zero_at_ < rest_limit) return;
    if (!report_->measured)
        return fail_item(fmt::format("the encoders give no reading {} ms after zero was ordered{}",
                                     ms(now - *zero_at_),
                                     was_absent_ ? fmt::format("; {}", body_was_absent) : ""));
    fail_item(
        fmt::format("the wheels still turn at {:.2f} and {:.2f} m/s (left, right) {} ms after zero was "
                    "ordered; the driver or the motors do not obey: cut the motors' supply, and fix them",
                    report_->measured->left, report_->measured->right, ms(now - *zero_at_)));
}

void SelfCheck::watch_storing(Instant now) {
    if (!stored_) return;  // at most StopLatch::limit after the stop
    if (!stored_->in_effect)
        return fail_item("propulsion does not confirm the stop; report this as a defect");
    if (!stored_->not_stored.empty())
        return fail_item("the stop is not stored: " + stored_->not_stored +
                         "; check the state folder and its disk");
    const auto record = parts_.stored();
    if (!record || !record->stop)
        return fail_item(fmt::format("the stop is not read back from the disk: {}; check the state folder",
                                     record ? "it reads as released" : record.error().message));
    order(now);
    refusal_.reset();
    begin(Phase::holding, now);
}

void SelfCheck::watch_holding(Instant now) {
    if (moved_)
        return fail_item("the stop does not hold: an order moved the wheels; report this as a defect");
    if (in_phase(now) < hold_time) return;
    if (refusal_ != MotionRefusal::stop_latched)
        return fail_item("an order was not refused during the stop; report this as a defect");
    release(now);
}

void SelfCheck::release(Instant now) {
    parts_.motion.release_stop();
    stored_.reset();
    if (!settings_.stop_before)
        parts_.latch(false, [this](const StopLatch::Outcome& outcome) { stored_ = outcome; });
    begin(Phase::releasing, now);
}

void SelfCheck::watch_releasing(Instant now) {
    const std::string stop = fmt::format("stored and read back after {} ms; limit {} ms",
                                         ms(*stored_at_ - asked_), ms(StopLatch::limit));
    if (settings_.stop_before) {
        if (report_->stop && in_phase(now) < StopLatch::limit) return;
        if (const auto record = parts_.stored(); !record || !record->stop)
            return fail_item("the stored stop of before is lost; stop the robot, and check the state folder");
        pass(fmt::format("{}; the robot was stopped before ({}) and stays so", stop,
                         to_string(*settings_.stop_before)));
        return after_latch(now);
    }
    if (!stored_) return;
    const auto record = parts_.stored();
    if (!stored_->in_effect || !stored_->not_stored.empty() || !record || record->stop)
        return fail_item(fmt::format("the release is not {}; release the robot with `caribou robot release`",
                                     stored_->in_effect ? "stored" : "in effect"));
    pass(stop + "; released again");
    after_latch(now);
}

void SelfCheck::after_latch(Instant now) {
    begin(Phase::dead_man, now);
    order(now);
    asked_ = now;
    zero_at_.reset();
}

void SelfCheck::watch_dead_man(Instant now) {
    const Duration braking = from_seconds(settings_.motion.level_1 / settings_.motion.stop_deceleration);
    const Duration limit = settings_.motion.time_to_live + braking + lateness;
    if (!zero_at_ && in_phase(now) < limit + 1s) return;
    if (!moved_) return fail_item("the wheels do not turn: " + why_not_moving());
    if (!zero_at_ || *zero_at_ - asked_ > limit) {
        const std::string when = zero_at_ ? fmt::format("after {} ms", ms(*zero_at_ - asked_)) : "not at all";
        return fail_item(
            fmt::format("an order that was not renewed ended {}; expected at most {} ms; report this "
                        "as a defect",
                        when, ms(limit)));
    }
    if (*zero_at_ - asked_ < settings_.motion.time_to_live)
        return fail_item(fmt::format(
            "an order ended after {} ms, before its time to live of {} ms: something else has ended it, "
            "such as a driver that was silent; run the self-check again",
            ms(*zero_at_ - asked_), ms(settings_.motion.time_to_live)));
    pass(fmt::format("an order that was not renewed ended after {} ms; limit {} ms", ms(*zero_at_ - asked_),
                     ms(limit)));
    if (settings_.guard_limit) return drive_towards(Phase::starving, now);
    add(CheckOutcome::unverified, "nothing outside the robot's process can stop this body (docs/safety.md)");
    parts_.motion.permit({});
    begin(Phase::over, now);
}

/// The order is renewed meanwhile, so that the guard alone can stop the body.
void SelfCheck::watch_starving(Instant now) {
    renew(now);
    const Duration limit = *settings_.guard_limit;
    if (!cut_ && in_phase(now) < limit + cut_patience) return;
    parts_.feed(true);
    if (!cut_)
        return fail_item(fmt::format("the guard did not stop the body within {} ms without a feed",
                                     ms(limit + cut_patience)));
    if (cut_->since_feed < GuardLimits{}.feed)
        return fail_item(fmt::format("the guard stopped the body for another reason: {}", cut_->reason));
    if (cut_->since_feed > limit)
        return fail_item(
            fmt::format("the guard stopped the body {} ms after the last feed; expected at most {} "
                        "ms; give it real-time priority (docs/service.md), or relieve the machine",
                        ms(cut_->since_feed), ms(limit)));
    if (!cut_->confirmed)
        return fail_item("the guard could not confirm that it stopped the body: its log has the reason");
    begin(Phase::restoring, now);
}

void SelfCheck::watch_restoring(Instant now) {
    const bool is_back = restored_ && !report_->reasons.contains(MotionReason::body_absent) &&
                         !report_->reasons.contains(MotionReason::guard_cut);
    if (!is_back && in_phase(now) < restore_limit) return;
    if (!is_back)
        return fail_item(fmt::format("the body is not back {} s after the guard stopped it: {}",
                                     restore_limit / 1s, why_not_moving()));
    pass(fmt::format("the body stopped {} ms after the last feed; limit {} ms; back after {} ms",
                     ms(cut_->since_feed), ms(*settings_.guard_limit), ms(in_phase(now))));
    parts_.motion.permit({});
    begin(Phase::over, now);
}

}  // namespace caribou::motion
