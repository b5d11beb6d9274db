#pragma once

#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "map/grid.hpp"

namespace caribou::map {

/// Markers that are drawn on top of the grid.
struct MapMarks {
    std::vector<Pose> robots{};
    std::vector<Vec2> trail{};  ///< the path that a robot has taken or will take
};

/// Returns the grid, seen from above: white is free, gray is unknown, dark is occupied.
Image picture(const OccupancyGrid& grid, const MapMarks& marks = {}, double pixels_per_metre = 40);
/// Returns the same for a terminal: `.` is free, a space is unknown, `#` is occupied.
std::string text_picture(const OccupancyGrid& grid, const MapMarks& marks = {}, std::size_t columns = 80);

}  // namespace caribou::map
