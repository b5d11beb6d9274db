#include "motion/clearance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace caribou::motion {
namespace {

constexpr double ahead_within = std::numbers::pi / 3.0;  ///< rad to either side

}  // namespace

bool looks_ahead(const Pose& pose) { return std::abs(wrapped_angle(pose.heading)) < ahead_within; }
bool looks_behind(const Pose& pose) {
    return std::abs(wrapped_angle(pose.heading + std::numbers::pi)) < ahead_within;
}

void Clearance::add(const Pose& pose, double distance) {
    sees_ahead_ = sees_ahead_ || looks_ahead(pose);
    sees_behind_ = sees_behind_ || looks_behind(pose);
    if (std::isfinite(distance))
        add_point(pose.x + distance * std::cos(pose.heading), pose.y + distance * std::sin(pose.heading));
}

void Clearance::add(const Pose& pose, const LidarScan& scan) {
    double angle = pose.heading + scan.first_angle;
    // Rotating a unit vector takes two products per beam, which is cheaper than sine and cosine.
    double c = std::cos(angle);
    double s = std::sin(angle);
    const double step_c = std::cos(scan.angle_step);
    const double step_s = std::sin(scan.angle_step);
    for (const float range : scan.ranges) {
        if (std::isfinite(range)) add_point(pose.x + range * c, pose.y + range * s);
        const double turned = c * step_c - s * step_s;
        s = s * step_c + c * step_s;
        c = turned;
    }
    const double width = scan.angle_step * static_cast<double>(scan.ranges.size());
    const bool all_around = width > 2.0 * std::numbers::pi - ahead_within;
    const Pose middle{pose.x, pose.y, angle + width / 2.0};
    sees_ahead_ = sees_ahead_ || all_around || looks_ahead(middle);
    sees_behind_ = sees_behind_ || all_around || looks_behind(middle);
}

void Clearance::merge(const Clearance& other, double driven) {
    ahead_ = std::min(ahead_, other.ahead_ - driven);
    behind_ = std::min(behind_, other.behind_ - driven);
    sees_ahead_ = sees_ahead_ || other.sees_ahead_;
    sees_behind_ = sees_behind_ || other.sees_behind_;
}

void Clearance::add_point(double x, double y) {
    if (std::abs(y) > reach_aside_) return;
    // The hull is round: to the side of its center, its front is further back.
    const double aside = std::min(std::abs(y), radius_);
    const double front = std::sqrt(radius_ * radius_ - aside * aside);
    double& clear = x >= 0.0 ? ahead_ : behind_;
    clear = std::min(clear, std::abs(x) - front);
}

}  // namespace caribou::motion
