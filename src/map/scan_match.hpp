#pragma once

#include "map/grid.hpp"

namespace caribou::map {

struct ScanMatch {
    Pose pose;         ///< from where the scan fits the grid best
    double score = 0;  ///< how well, from 0 to 1: the share of beams that end where something stands
};

/// Returns the pose near the scan's own from which the most beams end where the grid has something: at most
/// about `reach` meters away, and `turn_reach` radians turned.
ScanMatch match_scan(const OccupancyGrid& grid, const ScanView& scan, double reach = 0.1,
                     double turn_reach = 0.15);

}  // namespace caribou::map
