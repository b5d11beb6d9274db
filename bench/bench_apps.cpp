// What apps and tools cost: bench_apps [METRIC...]. The real program, real sockets, real files.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps_figures.hpp"
#include "give_up.hpp"

namespace {

using namespace caribou::bench;

struct Metric {
    std::string_view name;
    void (*measure)(const Report&, const Effort&);
};

constexpr Metric metrics[] = {
    {"mode1_ratio", mode1_ratio},
    {"journal_cost", journal_cost},
    {"recover_ratio", recover_ratio},
    {"record_100k_core", record_100k},
    {"scope_10k_core", scope_10k_core},
};

const Metric& metric_named(std::string_view name) {
    for (const Metric& metric : metrics)
        if (metric.name == name) return metric;
    std::string all;
    for (const Metric& metric : metrics) all += fmt::format(" {}", metric.name);
    give_up(fmt::format("there is no metric {}; there are:{}", name, all));
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<Metric> chosen;
    for (int i = 1; i < argc; ++i) chosen.push_back(metric_named(argv[i]));
    if (chosen.empty()) chosen.assign(std::begin(metrics), std::end(metrics));
    const Report report("apps");
    for (const Metric& metric : chosen) {
        report.progress(metric.name);
        metric.measure(report, Effort{.per_side = Seconds(5)});
    }
}
