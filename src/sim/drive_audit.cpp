#include "sim/drive_audit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "motion/way.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using motion::WheelSpeeds;

constexpr double speed_rounding = 1e-9;

double fastest_wheel(const WheelSpeeds& speeds) {
    return std::max(std::abs(speeds.right), std::abs(speeds.left));
}

}  // namespace

void DriveAudit::stop(Instant now) {
    if (!stopped_) stopped_ = now;
    order_.reset();
}

void DriveAudit::moved(StreamNumber stream, const motion::MotionCommand& motion,
                       std::optional<Duration> time_to_live, Instant read, Instant now) {
    order_.reset();
    const Duration life = time_to_live.value_or(settings_.time_to_live);
    is_velocity_ = motion.velocity() != nullptr;
    if (motion.is_halt() || now - read > life + settings_.period) return;
    order_ =
        Order{stream, now + life, motion::way_of(motion.speeds(settings_, motion::BodyPlan{}.wheel_base))};
    if (ordered_ != order_->way) astray_.reset();
    ordered_ = order_->way;
}

void DriveAudit::gone(StreamNumber stream, Instant now) {
    if (order_ && order_->stream == stream) order_->until = std::min(order_->until, now);
}

void DriveAudit::leased(StreamNumber stream, Instant now) {
    if (order_ && order_->stream != stream) order_->until = std::min(order_->until, now);
}

void DriveAudit::feel(const Touch& touch, Instant now) {
    touch_ = touch;
    if (touch.ahead || touch.behind || touch.aside) reflex_ = now;
}

void DriveAudit::mode(std::optional<link::RunMode> mode) {
    if (mode != mode_) order_.reset();
    mode_ = mode;
}

std::string_view DriveAudit::objection(Instant now) const {
    using enum link::RunMode;
    if (!mode_) return "its program does not run";
    const bool releasing = release_asked_ && now - *release_asked_ <= 3 * settings_.period;
    if (stopped_ && !releasing) return "a full stop was not released";
    if (*mode_ != rm2 && *mode_ != rm3) return "its mode does not allow it";
    if (reflex_ && now - *reflex_ <= settings_.back_off + 2 * settings_.period) return {};
    if (*mode_ == rm3 && !is_unanswered(now) && (!order_ || now > order_->until + 2 * settings_.period))
        return "no command that it has read is valid";
    if (*mode_ == rm3 && now > sent_until_ + under_way) return "no command was sent to it in time";
    return {};
}

void DriveAudit::driven(WheelSpeeds speeds, Instant now) {
    check_dwell(speeds, now);
    check_permission(speeds, now);
    check_touch(speeds, now);
    check_way(speeds, now);
    last_ = speeds;
    if (may_be_velocity(now)) velocity_at_ = now;
}

bool DriveAudit::is_unanswered(Instant now) const { return asked_ && now - *asked_ <= 3 * settings_.period; }

bool DriveAudit::may_be_velocity(Instant now) const {
    return is_velocity_ || is_unanswered(now) || mode_ != link::RunMode::rm3;
}

Duration DriveAudit::turnaround() const {
    const double slower = std::min(settings_.acceleration, settings_.deceleration);
    return from_seconds(2.0 * settings_.level_3 / slower + 2.0 * slower / settings_.jerk) +
           3 * settings_.period;
}

bool DriveAudit::brakes(std::optional<Braking>& braking, double speed, Instant now) const {
    if (!braking) braking = Braking{now, fastest_wheel(last_)};
    const Duration late = now - braking->since - 3 * settings_.period;
    if (late <= Duration::zero()) {
        braking->speed = std::max(braking->speed, speed);
        return true;
    }
    const double lost = settings_.deceleration * to_seconds(late);
    return speed <= std::max(0.0, braking->speed - lost) + speed_rounding;
}

void DriveAudit::check_permission(WheelSpeeds speeds, Instant now) {
    const std::string_view why = objection(now);
    if (why.empty()) return forbidden_.reset();
    const double speed = fastest_wheel(speeds);
    const bool brakes_now = brakes(forbidden_, speed, now);
    if (now - forbidden_->since > settings_.period && speed > fastest_wheel(last_) + speed_rounding)
        find(fmt::format("its wheels gain speed, though {}", why), now);
    const Instant since = stopped_ ? std::max(*stopped_, forbidden_->since) : forbidden_->since;
    const bool has_stopped =
        speed == 0 || now - since <= settings_.full_stop_time(settings_.level_3) + 3 * settings_.period;
    if (stopped_ ? !has_stopped : !brakes_now)
        find(fmt::format("its wheels turn at {:.2f} m/s after {:.2f} s, though {}", speed,
                         to_seconds(now - since), why),
             now);
}

void DriveAudit::check_touch(WheelSpeeds speeds, Instant now) {
    const motion::Way way = motion::way_of(speeds);
    const bool is_danger = (way == motion::Way::ahead && touch_.ahead) ||
                           (way == motion::Way::back && touch_.behind) || touch_.lifted;
    const double speed = fastest_wheel(speeds);
    if (!is_danger || speed == 0) return touched_.reset();
    if (!brakes(touched_, speed, now))
        find(fmt::format("it drives at {:.2f} m/s after {:.2f} s, though {}", speed,
                         to_seconds(now - touched_->since),
                         touch_.lifted ? "it is lifted" : "a bumper or cliff sensor responds there"),
             now);
}

void DriveAudit::check_way(WheelSpeeds speeds, Instant now) {
    // A reflex brakes, halts for the dwell time, and backs off.
    const Duration reflex_time = settings_.braking_time() + settings_.halt_dwell + settings_.back_off + 500ms;
    const bool is_reflex = reflex_ && now - *reflex_ <= reflex_time;
    const motion::Way way = motion::way_of(speeds);
    if (mode_ != link::RunMode::rm3 || !order_ || now > order_->until || is_reflex ||
        way == motion::Way::rest || way == order_->way)
        return astray_.reset();
    const double speed = fastest_wheel(speeds);
    if (brakes(astray_, speed, now) || is_unanswered(now)) return;
    const Instant changed = is_velocity_ ? astray_->since : velocity_at_;
    if (changed + turnaround() >= now) return;
    find(fmt::format("it does {} at {:.2f} m/s, {:.2f} s after another order",
                     to_string(motion::class_of(speeds.right, speeds.left)), speed,
                     to_seconds(now - astray_->since)),
         now);
}

void DriveAudit::check_dwell(WheelSpeeds speeds, Instant now) {
    const motion::MovementClass movement = motion::class_of(speeds.right, speeds.left);
    if (movement == motion::MovementClass::halt) {
        if (!rested_) rested_ = now;
        return;
    }
    const bool rested = rested_ && now - *rested_ >= settings_.halt_dwell;
    if (!rested && !may_be_velocity(now) && !motion::may_follow(last_class_, movement))
        find(fmt::format("{} follows {} without a HALT of {:.2f} s", to_string(movement),
                         to_string(last_class_), to_seconds(settings_.halt_dwell)),
             now);
    last_class_ = movement;
    rested_.reset();
}

void DriveAudit::find(std::string what, Instant now) {
    constexpr std::size_t most = 20;
    if (findings_.size() < most)
        findings_.push_back(fmt::format("at {:.2f} s {}", to_seconds(now.time_since_epoch()), what));
}

}  // namespace caribou::sim
