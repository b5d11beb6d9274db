// Cost of the behavior engine: bench_behavior [METRIC...] [--seconds N]. One thread, virtual time, no I/O.

#include "behavior_figures.hpp"
#include "metrics.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"engine_ns_per_behavior", engine_ns_per_behavior},
        {"recording_ratio", recording_ratio},
        {"tree_10k_core", tree_10k_core},
        {"allocations_per_tick", allocations_per_tick},
        {"load_1000_ms", load_1000_ms},
        {"reload_ms", reload_ms},
        {"python_tick_us", python_tick_us},
        {"testkit_speedup", testkit_speedup},
        {"testkit_1000_s", testkit_1000_s},
    };
    return measure("behavior", metrics, Effort{.per_side = Seconds(1)},
                   {argv, static_cast<std::size_t>(argc)});
}
