#include "motion/motion_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace caribou::motion {
namespace {

constexpr double rounding = 1e-9;

bool is_full_stop(const MotionReport& report) { return report.stop && *report.stop != StopCause::shutdown; }

double fastest(const WheelSpeeds& speeds) { return std::max(std::abs(speeds.right), std::abs(speeds.left)); }

}  // namespace

void MotionAudit::observe(const MotionReport& report) {
    check_edge(report);
    check_speed(report);
    check_authority(report);
    check_full_stop(report);
    check_braking(report);
    check_zones(report);
    last_ = report;
}

void MotionAudit::check_edge(const MotionReport& report) {
    const MovementClass driven = class_of(report.driven.right, report.driven.left);
    const MovementClass before = last_ ? last_->movement : MovementClass::halt;
    const bool had_class = !last_ || classify(last_->driven.right, last_->driven.left);
    if (report.command.movement() && had_class && !classify(report.driven.right, report.driven.left))
        return find(report, "what is driven has no class");
    if (driven != report.movement) find(report, "the reported class is not the driven one");
    if (report.command.movement() && !may_follow(before, driven))
        find(report, fmt::format("{} follows {}", to_string(driven), to_string(before)));
}

void MotionAudit::check_speed(const MotionReport& report) {
    if (fastest(report.driven) > settings_.level_3 + rounding) find(report, "a wheel is too fast");
    const WheelSpeeds before = last_ ? last_->driven : WheelSpeeds{};
    const double elapsed = last_ ? to_seconds(report.at - last_->at) : 0.0;
    const auto gain = [](double from, double to) {
        return from * to < 0.0 ? std::abs(to - from) : std::abs(to) - std::abs(from);
    };
    if (std::max(gain(before.right, report.driven.right), gain(before.left, report.driven.left)) >
        settings_.acceleration * elapsed + rounding)
        find(report, "a wheel gains speed too fast");
}

bool MotionAudit::may_move(const MotionReport& report) const {
    return report.winner && report.permit.motors && !report.stop && report.faults.empty() &&
           (*report.winner == MotionSource::reflex || report.permit.sources.contains(*report.winner));
}

void MotionAudit::check_authority(const MotionReport& report) {
    if (may_move(report)) {
        unauthorised_since_.reset();
        return;
    }
    if (!unauthorised_since_) unauthorised_since_ = report.at;
    const WheelSpeeds before = last_ ? last_->driven : WheelSpeeds{};
    if (fastest(report.driven) > fastest(before) + rounding) find(report, "speed is gained by nobody");
    const Duration bound = from_seconds(settings_.level_3 / settings_.deceleration) + 2 * settings_.period;
    if (report.at - *unauthorised_since_ > bound && fastest(report.driven) > 0.0)
        find(report, "the robot still moves, for nobody");
}

void MotionAudit::check_full_stop(const MotionReport& report) {
    if (!is_full_stop(report)) return full_stop_since_.reset();
    if (!full_stop_since_) full_stop_since_ = report.at;
    if (report.at - *full_stop_since_ >= settings_.full_stop_time(settings_.level_3) &&
        fastest(report.driven) > 0.0)
        find(report, "the robot moves in spite of a full stop");
}

void MotionAudit::check_braking(const MotionReport& report) {
    const bool is_restarted = last_ && report.steps < last_->steps;
    if (!last_ || is_restarted || is_full_stop(report) || !report.faults.empty() ||
        report.reasons.contains(MotionReason::body_absent))
        return;
    const double loss = std::max(std::abs(last_->driven.right) - std::abs(report.driven.right),
                                 std::abs(last_->driven.left) - std::abs(report.driven.left));
    if (loss > settings_.stop_deceleration * to_seconds(report.at - last_->at) + rounding)
        find(report, "a wheel brakes too hard");
}

void MotionAudit::set_zones(const PlacedZones& zones, double radius) {
    zones_ = zones;
    radius_ = radius;
    zones_from_.reset();
    least_gaps_.clear();
}

void MotionAudit::check_zones(const MotionReport& report) {
    constexpr double tolerance = 0.01;  // m
    if (zones_.empty()) return;
    if (!zones_from_) zones_from_ = report.at + settings_.braking_time() + 3 * settings_.period;
    if (report.at < *zones_from_) return;
    const Vec2 at = position(composed(zones_.odom_in_map, report.odometry.pose));
    least_gaps_.resize(zones_.zones->size(), -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < zones_.zones->size(); ++i) {
        const Zone& zone = (*zones_.zones)[i];
        const double gap = signed_distance(zone.corners, at) - radius_;
        if (zone.kind == ZoneKind::speed && gap < 0.0 && fastest(report.driven) > zone.speed + tolerance)
            find(report, fmt::format("a wheel is too fast in the zone {}", zone.name));
        if (zone.kind != ZoneKind::keep_out) continue;
        if (gap < least_gaps_[i] - tolerance)
            find(report, fmt::format("the hull is {:.3f} m from the zone {}, after {:.3f} m", gap, zone.name,
                                     least_gaps_[i]));
        least_gaps_[i] = std::max(least_gaps_[i], std::min(gap, settings_.stop_zone));
    }
}

void MotionAudit::find(const MotionReport& report, std::string what) {
    if (findings_.size() < limit)
        findings_.push_back(fmt::format("at {:.3f} s: {}", to_seconds(report.at.time_since_epoch()), what));
}

}  // namespace caribou::motion
