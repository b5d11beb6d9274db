#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_fault.hpp"
#include "loop/address.hpp"
#include "negotiation/topic_settings.hpp"
#include "station/api.hpp"
#include "station/autopilot.hpp"
#include "station/fleet.hpp"

namespace caribou::station {

/// Settings of recordings.
struct RecordConfig {
    std::string folder{};  ///< empty: no recordings
    bool at_start = true;  ///< false: only on request
    std::size_t file_mib = 64;
    std::size_t limit_mib = 1024;
    double camera_days = 7;         ///< age at which recordings with images of cameras are deleted
    std::set<views::View> views{};  ///< recorded of every robot, whether watched or not
};

/// The configuration of a station. docs/station-config.md explains each key and is generated
/// from the schema (station/station_schema.hpp).
struct StationConfig {
    Address listen = Address::ip("127.0.0.1", 9600);      ///< address that robots call
    bool plain = false;                                   ///< robots are accepted without keys
    std::string keys{};                                   ///< folder; empty: the user's default
    Address web_listen = Address::ip("127.0.0.1", 9680);  ///< address of the HTTP interface
    FleetSettings fleet{};
    AutopilotSettings pilot{};
    ApiSettings api{};
    RecordConfig record{};
    negotiation::TopicSettings topics{};  ///< transport of the views
};

struct ReadStationConfig {
    StationConfig config{};
    std::vector<TextFault> faults{};  ///< all errors, in order of their position
    std::string printed{};            ///< the values as a file, with the origin of each as a comment
};

/// Parses the TOML of a configuration file.
ReadStationConfig read_station_config(std::string_view text, std::string path);

/// Returns docs/station-config.md.
std::string station_config_page();

}  // namespace caribou::station
