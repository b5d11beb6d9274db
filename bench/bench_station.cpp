// Cost, speed and reliability of a station: bench_station [METRIC...].

#include "metrics.hpp"
#include "station_figures.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"robots_1000_core", robots_1000_core}, {"command_p99_ms", command_p99_ms},
        {"link_cut_ok", link_cut_ok},           {"datagrams_accepted", datagrams_accepted},
        {"reconnect_1000_s", reconnect_1000_s}, {"record_ratio", record_ratio},
        {"replay_speed", replay_speed},
    };
    return measure("station", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
