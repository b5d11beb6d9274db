#pragma once

#include <string>

#include "cubes/cube_system.hpp"
#include "loop/clock.hpp"

namespace caribou::cubes {

/// Returns a snapshot of all cubes as one JSON object: the section `cubes` of docs/formats/station-api.md.
std::string picture_json(const CubeSystem& cubes, const Clock& clock);

}  // namespace caribou::cubes
