// Cost of negotiation: bench_negotiation [METRIC...]. One thread, virtual time, no I/O, except for the round
// trips over DDS.

#include "metrics.hpp"
#include "negotiation_figures.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"solve_16x1000_ms", solve_16x1000_ms},
        {"solve_64x1000_skewed_ms", solve_64x1000_skewed_ms},
        {"adversarial_worst_ms", adversarial_worst_ms},
        {"join_1000_ms", join_1000_ms},
        {"publish_ratio", publish_ratio},
        {"chain_lost", chain_lost},
        {"dds_ratio_64", dds_ratio_64},
        {"dds_ratio_64k", dds_ratio_64k},
        {"slow_reader_gap_ms", slow_reader_gap_ms},
    };
    return measure("negotiation", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
