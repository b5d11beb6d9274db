#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "map/cost_map.hpp"

namespace caribou::map {

/// Returns the centers of the cells, without those that a straight line can skip. A line replaces part of the
/// path only if it does not cross a cell that costs more than the most expensive one it skips.
std::vector<Vec2> smoothed(const CostMap& costs, const std::vector<Cell>& cells);

/// The direction to drive in.
struct Heading {
    double turn = 0;      ///< radians to the left, to face along the path
    double distance = 0;  ///< meters to the end, along the path
    bool arrived = false;
    Vec2 aim{};  ///< a point of the path ahead of the robot; it fits on the straight line to it
};

/// Guides a robot along a path. It cuts a corner only if the straight line from the robot to the next point
/// is passable; otherwise the robot first goes to the corner itself.
class PathGuide {
public:
    PathGuide() = default;
    /// `look_ahead`: distance from a point, in meters, at which the guide may aim at the next one.
    /// `near_enough`: distance at which the end counts as reached.
    PathGuide(std::vector<Vec2> points, double look_ahead, double near_enough);

    /// Distance along the path from the robot to the point that it aims at.
    static constexpr double reach = 0.5;  // m

    Heading next(const CostMap& costs, const Pose& pose);
    bool empty() const { return points_.empty(); }
    const std::vector<Vec2>& points() const { return points_; }
    /// Returns the points that have not been passed yet.
    std::span<const Vec2> rest() const { return std::span(points_).subspan(leg_); }
    /// Returns whether the rest of the path is passable.
    bool holds(const CostMap& costs, const Pose& pose) const;

private:
    /// Returns whether the robot can aim at the point after the current target.
    bool passed(const CostMap& costs, Vec2 at) const;
    Vec2 aim_from(const CostMap& costs, Vec2 at) const;

    std::vector<Vec2> points_;
    double look_ahead_ = 0.3;
    double near_enough_ = 0.1;
    std::size_t leg_ = 0;  ///< index of the current target point
};

}  // namespace caribou::map
