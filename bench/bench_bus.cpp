// Cost of the bus: bench_bus [METRIC...] [--seconds N]. Everything on 127.0.0.1, compared with a relay
// process that forwards payloads without parsing anything, in alternating rounds of the same run.

#include "bus_figures.hpp"
#include "metrics.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"latency_closed", latency_closed},
        {"latency_1khz", latency_1khz},
        {"throughput_batched", throughput_batched},
        {"throughput_single", throughput_single},
        {"flood_latency", flood_latency},
        {"fanout_50", fanout_50},
        {"connect_1000_s", connect_1000_s},
        {"bytes_per_client", bytes_per_client},
        {"hold_10000_mb", hold_10000_mb},
        {"reconnect_ok", reconnect_ok},
        {"variables_100k_s", variables_100k_s},
        {"wildcards_100k_wait_ms", wildcards_100k_wait_ms},
        {"grow_variables", grow_variables},
        {"grow_clients", grow_clients},
        {"grow_wildcards", grow_wildcards},
        {"client_overhead", client_overhead},
        {"client_overhead_batched", client_overhead_batched},
        {"allocations_per_message", allocations_per_message},
    };
    return measure("bus", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
