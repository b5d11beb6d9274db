#include "map/pursuit.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::map {

Velocity Pursuit::next(const CostMap* costs, const Pose& pose, Vec2 aim, double left) {
    const double aside = bearing_of(pose, aim);
    const double off = std::abs(aside);
    is_turning_ = off > settings_.aligned && (is_turning_ || off > settings_.sharp ||
                                              (costs != nullptr && !is_circle_free(*costs, pose, aim)));
    return is_turning_ ? turn(aside) : drive(aside, distance(position(pose), aim), left);
}

Velocity Pursuit::turn(double aside) const {
    constexpr double slowest = 0.5;    // rad/s
    constexpr double per_angle = 2.0;  // rad/s per rad
    const double speed = std::clamp(per_angle * std::abs(aside), slowest, settings_.turn_speed);
    return {0.0, std::copysign(speed, aside)};
}

Velocity Pursuit::drive(double aside, double reach, double left) const {
    const double curvature = 2.0 * std::sin(aside) / std::max(reach, settings_.shortest_reach);
    double speed = std::min(settings_.speed, std::max(settings_.end_speed, settings_.slowing * left));
    if (curvature != 0.0)
        speed = std::min({speed, std::sqrt(settings_.side_acceleration / std::abs(curvature)),
                          settings_.turn_speed / std::abs(curvature)});
    return {speed, speed * curvature};
}

bool is_circle_free(const CostMap& costs, const Pose& pose, Vec2 aim) {
    constexpr double beside = 0.15;  // m; where it is already may be closer to an obstacle than planned
    const double aside = bearing_of(pose, aim);
    const double chord = distance(position(pose), aim);
    const double length = std::abs(aside) < 1e-3 ? chord : chord * aside / std::sin(aside);
    const double step = costs.frame().cell / 2.0;
    for (double rolled = beside; rolled < length; rolled += step) {
        // A chord of a circle points half as far aside as the circle has turned on it.
        const double half_turn = aside * rolled / length;
        const double part = std::abs(aside) < 1e-3 ? rolled : chord * std::sin(half_turn) / std::sin(aside);
        const Vec2 at = position(pose) + towards(pose.heading + half_turn) * part;
        if (!costs.passable(costs.frame().cell_at(at)) || costs.clearance_at(at) < costs.settings().radius)
            return false;
    }
    return true;
}

}  // namespace caribou::map
