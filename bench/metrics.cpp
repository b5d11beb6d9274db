#include "metrics.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "give_up.hpp"

namespace caribou::bench {
namespace {

const Metric& metric_named(std::string_view name, std::span<const Metric> metrics) {
    for (const Metric& metric : metrics)
        if (metric.name == name) return metric;
    std::string all;
    for (const Metric& metric : metrics) all += fmt::format(" {}", metric.name);
    give_up(fmt::format("there is no metric {}; there are:{}", name, all));
}

Seconds seconds_in(const std::string& text) {
    const double seconds = std::strtod(text.c_str(), nullptr);
    if (!(seconds > 0)) give_up("--seconds needs a number above 0, such as --seconds 3");
    return Seconds(seconds);
}

int count_in(const std::string& text) {
    const int count = std::atoi(text.c_str());
    if (count <= 0) give_up("--count needs a whole number above 0, such as --count 200");
    return count;
}

}  // namespace

int measure(const std::string& bench, std::span<const Metric> metrics, Effort effort,
            std::span<char* const> words) {
    std::vector<Metric> chosen;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--seconds")
            effort.per_side = seconds_in(i + 1 < words.size() ? words[++i] : "");
        else if (word == "--count")
            effort.count = count_in(i + 1 < words.size() ? words[++i] : "");
        else
            chosen.push_back(metric_named(word, metrics));
    }
    if (chosen.empty())
        std::ranges::copy_if(metrics, std::back_inserter(chosen), std::not_fn(&Metric::only_if_named));
    const Report report(bench);
    for (const Metric& metric : chosen) {
        report.progress(metric.name);
        metric.measure(report, effort);
    }
    for (const std::string& miss : report.misses()) report.progress(miss);
    return report.misses().empty() ? 0 : 1;
}

}  // namespace caribou::bench
