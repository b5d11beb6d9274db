// How fast a robot in trouble stops: bench_stop [METRIC...] [--count N].

#include "metrics.hpp"
#include "stop_figures.hpp"

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"main_silent_stop_ok", main_silent_stop},
        {"rm5_stop_ok", rm5_stop},
        {"lossy_stop_ok", lossy_stop},
        {"tcp_cut_stop_ok", tcp_cut_stop},
    };
    return measure("stop", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
