#include "devices/scan_maker.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/geometry.hpp"

namespace caribou::devices {
namespace {

constexpr double whole_turn = 2.0 * std::numbers::pi;

/// Returns `point`, given in `frame`, in the frame in which `frame` itself is given.
Vec2 out_of(const Pose& frame, Vec2 point) { return position(composed(frame, pose_at(point, 0))); }

/// Returns `point`, given where `frame` is, in `frame`.
Vec2 into(const Pose& frame, Vec2 point) {
    const Vec2 ahead = towards(frame.heading);
    const Vec2 way = point - position(frame);
    return {dot(way, ahead), cross(ahead, way)};
}

}  // namespace

void ScanMaker::add(const LidarPoint& point) {
    if (is_whole_ && points_.size() < most_points) points_.push_back(point);
}

void ScanMaker::restart() {
    is_whole_ = false;
    points_.clear();
    scan_.reset();
}

void ScanMaker::end_turn() {
    const bool is_good = is_whole_ && points_.size() >= fewest_points;
    is_whole_ = true;
    if (!is_good) return points_.clear();
    ended_ = points_.back().at;
    const Pose here = trail_.pose_at(ended_);
    motion::LidarScan scan{.first_angle = 0.0,
                           .angle_step = whole_turn / directions,
                           .ranges = std::vector(directions, std::numeric_limits<float>::quiet_NaN())};
    for (const LidarPoint& point : points_) {
        if (!std::isfinite(point.range)) continue;
        const double angle = mount_.upside_down ? point.clockwise : -point.clockwise;
        const Vec2 on_robot = out_of(mount_.pose, towards(angle) * point.range);
        const Vec2 seen = into(mount_.pose, into(here, out_of(trail_.pose_at(point.at), on_robot)));
        const double direction = std::atan2(seen.y, seen.x) / scan.angle_step;
        const auto index =
            (static_cast<std::size_t>(std::lround(direction) + static_cast<long>(directions))) % directions;
        // The nearer one, where several points come to lie in one direction.
        float& range = scan.ranges[index];
        if (const auto distance = static_cast<float>(length(seen)); !(range <= distance)) range = distance;
    }
    points_.clear();
    scan_ = std::make_shared<const motion::LidarScan>(std::move(scan));
}

}  // namespace caribou::devices
