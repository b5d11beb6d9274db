#pragma once

#include "base/log.hpp"
#include "base/static_files.hpp"

namespace caribou::app {

/// The page that a station serves to browsers (share_place). Without it there is none, and the log says so.
StaticFiles station_page(Log& log);

}  // namespace caribou::app
