#pragma once

#include <string>
#include <vector>

#include "config/schema.hpp"
#include "station/station_config.hpp"

namespace caribou::station {

/// The values of a file, before they are combined into the configuration.
struct StationDraft {
    StationConfig config{};
    std::vector<std::string> robots{};
    std::vector<std::string> views{"scan", "map", "plan", "cubes"};
    std::string observe_token{};
    std::string drive_token{};
    std::string admin_token{};
};

/// Returns all keys of the configuration of a station, except the tables `groups` and `dial`.
const config::Schema<StationDraft>& station_schema();

}  // namespace caribou::station
