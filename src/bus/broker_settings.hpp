#pragma once

#include <string>

#include "bus/parameters.hpp"

namespace caribou::bus {

/// The settings that MOOSDB reads from a mission file (outside blocks), with its defaults.
struct BrokerSettings {
    std::string server_host;  ///< for clients; not used by the broker
    int server_port = 9000;
    std::string community = "#1";
    double time_warp = 1;
    double client_timeout = 5;    ///< s
    double warning_latency = 50;  ///< ms
    int web_server_port = 0;
    bool no_network = false;
    bool tcp_no_delay = true;
};

void declare(Parameters& parameters, BrokerSettings& settings);

}  // namespace caribou::bus
