#pragma once

#include <string>
#include <string_view>

#include "base/geometry.hpp"
#include "base/result.hpp"
#include "map/grid.hpp"

/// Maps as map_server of ROS reads and writes them: an image in the format PGM, and a text that describes it.
namespace caribou::map {

/// The contents of a `.yaml` file (docs/formats/map.md).
struct RosMapInfo {
    std::string image{};  ///< name of the image's file
    double resolution = 0.05;
    Vec2 low{};  ///< the outer corner of the image's lower left pixel, in meters
    bool negate = false;
    double occupied_thresh = 0.65;  ///< share of black from which on a cell is occupied
    double free_thresh = 0.196;     ///< share of black up to which it is free

    friend bool operator==(const RosMapInfo&, const RosMapInfo&) = default;
};

/// Returns a text that ros_map_info_from() accepts.
std::string to_string(const RosMapInfo& info);
/// Errors begin with `path` and the line.
Result<RosMapInfo> ros_map_info_from(std::string_view yaml, std::string_view path);

/// Returns the grid as a PGM image: free cells are 254, unknown ones 205, occupied ones 0.
std::string to_pgm(const OccupancyGrid& grid);
/// Reads a PGM image (P5 or P2) as the information describes it. Errors begin with `path`. Fails if it has
/// more than StoredMap::max_cells pixels.
Result<OccupancyGrid> grid_from_pgm(std::string_view pgm, const RosMapInfo& info, std::string_view path);

}  // namespace caribou::map
