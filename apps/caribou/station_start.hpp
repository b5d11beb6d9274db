#pragma once

#include <string>
#include <vector>

#include "adapters/keys/key_folder.hpp"
#include "station/station_config.hpp"

namespace caribou::app {

/// Returns what a start with this configuration would refuse, each with its key: missing keys, a folder for
/// recordings that cannot be used, addresses that this machine does not have, topics. Creates no file; a port
/// that is in use is not an error, because the station may be running. For `station --check-config`.
std::vector<std::string> check_station_start(const station::StationConfig& config, const KeyFolder& keys);

}  // namespace caribou::app
