#include "devices/odometry_trail.hpp"

#include <algorithm>

namespace caribou::devices {

void OdometryTrail::add(std::int64_t right_ticks, std::int64_t left_ticks, Instant now) {
    Pose pose;
    if (!stops_.empty()) {
        pose = stops_.back().pose;
        const double right = static_cast<double>(right_ticks - right_) * meters_per_tick_;
        const double left = static_cast<double>(left_ticks - left_) * meters_per_tick_;
        const double turn = (right - left) / wheel_base_;
        const double way = (right + left) / 2.0;
        pose.x += way * std::cos(pose.heading + turn / 2.0);
        pose.y += way * std::sin(pose.heading + turn / 2.0);
        pose.heading += turn;
    }
    right_ = right_ticks;
    left_ = left_ticks;
    stops_.push_back({now, pose});
    while (stops_.size() > 2 && now - stops_[1].at > memory) stops_.pop_front();
}

Pose OdometryTrail::pose_at(Instant at) const {
    if (stops_.empty()) return {};
    const auto after = std::ranges::lower_bound(stops_, at, {}, &Stop::at);
    if (after == stops_.begin()) return stops_.front().pose;
    if (after == stops_.end()) return stops_.back().pose;
    const Stop& from = *(after - 1);
    const double part = to_seconds(at - from.at) / to_seconds(after->at - from.at);
    const auto between = [&](double Pose::* part_of) {
        return from.pose.*part_of + part * (after->pose.*part_of - from.pose.*part_of);
    };
    return {between(&Pose::x), between(&Pose::y), between(&Pose::heading)};
}

}  // namespace caribou::devices
