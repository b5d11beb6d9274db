// What the bus costs: bench_bus [METRIC...] [--seconds N]. All of it on 127.0.0.1, against a relay
// process that forwards the same bytes without looking at them, in the same run and in turns.

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bus_figures.hpp"
#include "give_up.hpp"

namespace {

using namespace caribou::bench;

struct Metric {
    std::string_view name;
    void (*measure)(const Report&, const Effort&);
};

constexpr Metric metrics[] = {
    {"latency_closed", latency_closed},
    {"latency_1khz", latency_1khz},
    {"throughput_batched", throughput_batched},
    {"throughput_single", throughput_single},
    {"fanout_50", fanout_50},
    {"connect_1000_s", connect_1000_s},
    {"bytes_per_client", bytes_per_client},
    {"hold_10000_mb", hold_10000_mb},
    {"client_overhead", client_overhead},
    {"client_overhead_batched", client_overhead_batched},
    {"allocations_per_message", allocations_per_message},
};

const Metric& metric_named(std::string_view name) {
    for (const Metric& metric : metrics)
        if (metric.name == name) return metric;
    std::string all;
    for (const Metric& metric : metrics) all += fmt::format(" {}", metric.name);
    give_up(fmt::format("there is no metric {}; there are:{}", name, all));
}

Seconds seconds_in(std::string_view text) {
    const double seconds = std::strtod(std::string(text).c_str(), nullptr);
    if (!(seconds > 0)) give_up("--seconds needs a number above 0, such as --seconds 3");
    return Seconds(seconds);
}

}  // namespace

int main(int argc, char** argv) {
    Effort effort;
    std::vector<Metric> chosen;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--seconds")
            effort.per_side = seconds_in(i + 1 < argc ? argv[++i] : "");
        else
            chosen.push_back(metric_named(word));
    }
    if (chosen.empty()) chosen.assign(std::begin(metrics), std::end(metrics));
    const Report report("bus");
    for (const Metric& metric : chosen) {
        report.progress(metric.name);
        metric.measure(report, effort);
    }
}
