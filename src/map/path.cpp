#include "map/path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caribou::map {
namespace {

/// Distance in cells within which the robot is about in the cell of a point.
constexpr double in_cell = 0.75;

}  // namespace

std::vector<Vec2> smoothed(const CostMap& costs, const std::vector<Cell>& cells) {
    const GridFrame& frame = costs.frame();
    std::vector<Vec2> points;
    if (cells.empty()) return points;
    points.push_back(frame.middle(cells.front()));
    for (std::size_t from = 0; from + 1 < cells.size();) {
        // Extend the straight line cell by cell, as far as possible.
        std::uint8_t dear = std::max(costs.cost(cells[from]), costs.cost(cells[from + 1]));
        std::size_t to = from + 1;
        for (std::size_t next = from + 2; next < cells.size(); ++next) {
            dear = std::max(dear, costs.cost(cells[next]));
            if (!costs.straight(frame.middle(cells[from]), frame.middle(cells[next]), dear)) break;
            to = next;
        }
        points.push_back(frame.middle(cells[to]));
        from = to;
    }
    return points;
}

PathGuide::PathGuide(std::vector<Vec2> points, double look_ahead, double near_enough)
    : points_(std::move(points)), look_ahead_(look_ahead), near_enough_(near_enough) {}

bool PathGuide::passed(const CostMap& costs, Vec2 at) const {
    const Vec2 point = points_[leg_];
    const Vec2 next = points_[leg_ + 1];
    const double gap = distance(at, point);
    if (gap <= std::min(near_enough_, costs.frame().cell * in_cell)) return true;
    // In the direction of the next point, by 60 degrees: beside the way to a corner it is not behind that.
    const bool is_behind = dot(next - point, at - point) > 0.5 * distance(next, point) * gap;
    return (gap < look_ahead_ || is_behind) && costs.straight(at, next);
}

Heading PathGuide::next(const CostMap& costs, const Pose& pose) {
    if (points_.empty()) return {.arrived = true};
    const Vec2 at = position(pose);
    while (leg_ + 1 < points_.size() && passed(costs, at)) ++leg_;
    Heading heading{.turn = bearing_of(pose, points_[leg_]), .distance = distance(at, points_[leg_])};
    for (std::size_t i = leg_; i + 1 < points_.size(); ++i)
        heading.distance += distance(points_[i], points_[i + 1]);
    heading.aim = aim_from(costs, at);
    heading.arrived = leg_ + 1 == points_.size() && heading.distance <= near_enough_;
    return heading;
}

Vec2 PathGuide::aim_from(const CostMap& costs, Vec2 at) const {
    double left = reach;
    Vec2 from = at;
    for (std::size_t i = leg_; i < points_.size(); ++i) {
        const double part = distance(from, points_[i]);
        if (part < left) {
            left -= part;
            from = points_[i];
            continue;
        }
        const Vec2 aim = from + (points_[i] - from) * (left / part);
        // Beyond a corner only if the robot can cut it.
        return i == leg_ || costs.straight(at, aim) ? aim : points_[leg_];
    }
    return costs.straight(at, points_.back()) ? points_.back() : points_[leg_];
}

bool PathGuide::holds(const CostMap& costs, const Pose& pose) const {
    if (points_.empty()) return false;
    // The robot's own position may be too close to an obstacle; only the path ahead is checked.
    const Vec2 at = position(pose);
    const Vec2 first = points_[leg_];
    const double far = distance(at, first);
    const Vec2 from = far > 0.2 ? at + (first - at) * (0.2 / far) : first;
    if (!costs.straight(from, first)) return false;
    for (std::size_t i = leg_; i + 1 < points_.size(); ++i)
        if (!costs.straight(points_[i], points_[i + 1])) return false;
    return true;
}

}  // namespace caribou::map
