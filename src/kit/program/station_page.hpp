#pragma once

#include "base/log.hpp"
#include "base/static_files.hpp"

namespace caribou::app {

/// Returns the page that a station serves to browsers (share_place). Logs a message and returns no files if
/// it is missing.
StaticFiles station_page(Log& log);

}  // namespace caribou::app
