// Cost of apps and tools: bench_apps [METRIC...] [--seconds N]. Uses the real program, real sockets and real
// files.

#include "apps_figures.hpp"
#include "metrics.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"mode1_ratio", mode1_ratio},       {"journal_cost", journal_cost},
        {"recover_ratio", recover_ratio},   {"record_100k_core", record_100k},
        {"scope_10k_core", scope_10k_core},
    };
    return measure("apps", metrics, Effort{.per_side = Seconds(5)}, {argv, static_cast<std::size_t>(argc)});
}
