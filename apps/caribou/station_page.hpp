#pragma once

#include "base/log.hpp"
#include "base/static_files.hpp"

namespace caribou::app {

/// The page that a station serves to browsers. It stands in `share/caribou/web` where the program is
/// installed, and in `build/web` where it was built; without it there is none, and the log says so.
StaticFiles station_page(Log& log);

}  // namespace caribou::app
