#pragma once

#include <string>

#include "cubes/cube_system.hpp"
#include "loop/clock.hpp"

namespace caribou::cubes {

/// All there is to see of the cubes at this moment, as one JSON object: the section `cubes` of
/// docs/formats/station-api.md.
std::string picture_json(const CubeSystem& cubes, const Clock& clock);

}  // namespace caribou::cubes
