#pragma once

#include <string>
#include <vector>

#include "base/canvas.hpp"
#include "map/grid.hpp"

namespace caribou::map {

/// What is drawn upon the grid.
struct MapMarks {
    std::vector<Pose> robots{};
    std::vector<Vec2> trail{};  ///< where a robot has been, or where it will go
};

/// The grid from above: white is free, grey is not known, dark is occupied.
Image picture(const OccupancyGrid& grid, const MapMarks& marks = {}, double pixels_per_metre = 40);
/// The same for a terminal: `.` is free, a blank not known, `#` occupied.
std::string text_picture(const OccupancyGrid& grid, const MapMarks& marks = {}, std::size_t columns = 80);

}  // namespace caribou::map
