#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/zone.hpp"
#include "data/map_zone.hpp"

namespace caribou::map {

std::vector<data::MapZone> zones_data(std::span<const Zone> zones);
/// Rounds all numbers to hundredths, as they are written. Fails with Code::malformed if one is not good, if
/// two have the same name, or if there are more than Zone::max_zones.
Result<std::vector<Zone>> zones_from(std::span<const data::MapZone> zones);

}  // namespace caribou::map
