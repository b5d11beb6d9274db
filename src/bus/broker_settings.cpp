#include "bus/broker_settings.hpp"

#include "loop/warp.hpp"

namespace caribou::bus {

void declare(Parameters& parameters, BrokerSettings& s) {
    parameters.add("ServerHost", s.server_host, "For clients; of no effect here");
    parameters.add("ServerPort", s.server_port, {0, 65535}, "TCP port; 0 takes any free one");
    parameters.add("Community", s.community, "Name of the community");
    parameters.add("MOOSTimeWarp", s.time_warp, {0.01, Warp::max_factor},
                   "How many times as fast time passes");
    parameters.add("ClientTimeout", s.client_timeout, {0.1, 86400},
                   "Seconds until a silent client is given up");
    parameters.add("WarningLatency", s.warning_latency, {0, 1e6}, "Milliseconds for a heartbeat to be late");
    parameters.add("WebServerPort", s.web_server_port, {0, 65535}, "Port of the web page; 0: none");
    parameters.add("NoNetwork", s.no_network, "Of no effect here");
    parameters.add("tcpnodelay", s.tcp_no_delay, "Of no effect here: small packets always leave at once");
}

}  // namespace caribou::bus
