#pragma once

#include <optional>

#include "bus/app_settings.hpp"
#include "marine/geodesy.hpp"

namespace caribou::marine {

/// Returns the geodesy of LatOrigin and LongOrigin of a mission file, or nullopt if it has none.
inline std::optional<Geodesy> geodesy_of(const bus::AppSettings& settings) {
    const auto made = Geodesy::make({settings.latitude_origin, settings.longitude_origin});
    return made ? std::optional(*made) : std::nullopt;
}

}  // namespace caribou::marine
