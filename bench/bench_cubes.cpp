// What cubes cost: bench_cubes. One thread, virtual time, no I/O.

#include "cubes_figures.hpp"

int main() {
    using namespace caribou::bench;
    const Report report("cubes");
    report.progress("simulated_hours_per_s");
    simulated_hours_per_s(report);
    report.progress("update_1000_us");
    update_1000_us(report);
}
