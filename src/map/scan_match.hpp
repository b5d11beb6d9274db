#pragma once

#include "map/grid.hpp"

namespace caribou::map {

struct ScanMatch {
    Pose pose;         ///< the pose at which the scan matches the grid best
    double score = 0;  ///< mean occupancy at the ends of the beams, from 0 to 1
};

/// Returns the pose near the scan's own from which the most beams end where the grid has something: at most
/// about `reach` meters away, and `turn_reach` radians turned.
ScanMatch match_scan(const OccupancyGrid& grid, const ScanView& scan, double reach = 0.1,
                     double turn_reach = 0.15);
/// The same, but tries every pose up to `reach` and `turn_reach` away, at a cost that grows with their
/// product (some 10 ms): for a robot that was just put onto a known map.
ScanMatch locate_scan(const OccupancyGrid& grid, const ScanView& scan, double reach = 0.5,
                      double turn_reach = 0.5);

}  // namespace caribou::map
