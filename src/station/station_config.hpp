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

/// Where recordings go.
struct RecordConfig {
    std::string folder{};  ///< empty: nothing is recorded
    bool at_start = true;  ///< or only when somebody asks for it
    std::size_t file_mib = 64;
    std::size_t limit_mib = 1024;
    std::set<views::View> views{};  ///< that are recorded of every robot, watched or not
};

/// Everything that a station is told before it starts. docs/station.md explains each key.
struct StationConfig {
    Address listen = Address::ip("127.0.0.1", 9600);      ///< where robots call
    bool plain = false;                                   ///< robots are believed, without keys
    std::string keys{};                                   ///< folder; empty: that of the user
    Address web_listen = Address::ip("127.0.0.1", 9680);  ///< where programs ask
    FleetSettings fleet{};
    AutopilotSettings pilot{};
    ApiSettings api{};
    RecordConfig record{};
    negotiation::TopicSettings topics{};  ///< where views come from
};

struct ReadStationConfig {
    StationConfig config{};
    std::vector<TextFault> faults{};  ///< all that is wrong, in order; empty: nothing
};

/// Reads the TOML of a configuration file.
ReadStationConfig read_station_config(std::string_view text, std::string path);

/// `section.key`, all of them.
std::vector<std::string> station_config_keys();

}  // namespace caribou::station
