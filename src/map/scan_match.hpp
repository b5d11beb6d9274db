#pragma once

#include "map/grid.hpp"

namespace caribou::map {

struct ScanMatch {
    Pose pose;         ///< from where the scan fits the grid best
    double score = 0;  ///< how well, from 0 to 1: the share of beams that end where something stands
};

/// Corrects a pose by what the robot sees: looks around the scan's own pose, no farther than `reach` metres
/// and half as many radians, for one from which more beams end where the grid has something.
ScanMatch match_scan(const OccupancyGrid& grid, const ScanView& scan, double reach = 0.1);

}  // namespace caribou::map
