// Cost of cubes: bench_cubes [METRIC...]. One thread, virtual time, no I/O.

#include "cubes_figures.hpp"
#include "metrics.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"simulated_hours_per_s", simulated_hours_per_s},
        {"update_1000_us", update_1000_us},
    };
    return measure("cubes", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
