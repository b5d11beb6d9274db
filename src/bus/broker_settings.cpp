#include "bus/broker_settings.hpp"

#include "loop/warp.hpp"

namespace caribou::bus {

void declare(Parameters& parameters, BrokerSettings& s) {
    parameters.add("ServerHost", s.server_host, "For clients; no effect on the broker");
    parameters.add("ServerPort", s.server_port, {0, 65535}, "TCP port; 0: any free port");
    parameters.add("Community", s.community, "Name of the community");
    parameters.add("MOOSTimeWarp", s.time_warp, {0.01, Warp::max_factor},
                   "Time warp: how many times faster time runs");
    parameters.add("ClientTimeout", s.client_timeout, {0.1, 86400},
                   "Seconds of silence after which a client is disconnected");
    parameters.add("WarningLatency", s.warning_latency, {0, 1e6},
                   "Milliseconds after which a late heartbeat is reported");
    parameters.add("WebServerPort", s.web_server_port, {0, 65535}, "Port of the web page; 0: none");
    parameters.add("NoNetwork", s.no_network, "No effect");
    parameters.add("tcpnodelay", s.tcp_no_delay, "No effect: small packets are always sent at once");
}

}  // namespace caribou::bus
