#pragma once

#include <string>

#include "data/marine_shape.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {

/// Returns what is drawn for a shape: its outline in meters, and its colors with the defaults of its kind.
/// `received` is the time at which the value arrived; key, community and source are left empty.
data::MarineShape drawing_of(const Shape& shape, double received);

}  // namespace caribou::marine
