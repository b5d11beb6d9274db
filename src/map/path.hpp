#pragma once

#include <cstddef>
#include <vector>

#include "map/cost_map.hpp"

namespace caribou::map {

/// The middles of the cells, without those that can be left out: from each the next is in a straight line
/// that costs no more than the dearest cell on the way there.
std::vector<Vec2> smoothed(const CostMap& costs, const std::vector<Cell>& cells);

/// Where to go next.
struct Heading {
    double turn = 0;      ///< radians to the left, to look along the path
    double distance = 0;  ///< metres to the end, along the path
    bool arrived = false;
};

/// Leads a robot along a path: it looks some way ahead, so that small errors even out.
class PathGuide {
public:
    PathGuide() = default;
    PathGuide(std::vector<Vec2> points, double look_ahead, double near_enough);

    Heading next(const Pose& pose);
    bool empty() const { return points_.empty(); }
    const std::vector<Vec2>& points() const { return points_; }
    /// Whether the rest of the way is passable.
    bool holds(const CostMap& costs, const Pose& pose) const;

private:
    std::vector<Vec2> points_;
    double look_ahead_ = 0.3;
    double near_enough_ = 0.1;
    std::size_t leg_ = 0;  ///< the point that is gone to
};

}  // namespace caribou::map
