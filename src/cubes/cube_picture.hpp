#pragma once

#include "cubes/cube_system.hpp"
#include "data/cubes.hpp"
#include "loop/clock.hpp"

namespace caribou::cubes {

/// Returns a snapshot of all cubes.
data::Cubes picture_of(const CubeSystem& cubes, const Clock& clock);

}  // namespace caribou::cubes
