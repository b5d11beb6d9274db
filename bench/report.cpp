#include "report.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace caribou::bench {

std::string miss_of(const Figure& figure) {
    const auto miss = [&](std::string_view bound, double limit) {
        return fmt::format("{}: expected {} {:.6g} {}, found {:.6g}", figure.metric, bound, limit,
                           figure.unit, figure.value);
    };
    // A value that is not a number misses every limit.
    if (figure.at_most && !(figure.value <= *figure.at_most)) return miss("at most", *figure.at_most);
    if (figure.at_least && !(figure.value >= *figure.at_least)) return miss("at least", *figure.at_least);
    return {};
}

void Report::progress(std::string_view what) const { fmt::print(stderr, "bench {}: {}\n", bench_, what); }

void Report::add(const Figure& figure) const {
    std::string line = fmt::format(R"({{"bench":"{}","metric":"{}","value":{:.6g},"unit":"{}")", bench_,
                                   figure.metric, figure.value, figure.unit);
    if (figure.floor)
        line += fmt::format(R"(,"floor":{:.6g},"ratio":{:.4g})", *figure.floor, figure.value / *figure.floor);
    if (figure.at_most) line += fmt::format(R"(,"at_most":{:.6g})", *figure.at_most);
    if (figure.at_least) line += fmt::format(R"(,"at_least":{:.6g})", *figure.at_least);
    std::string miss = miss_of(figure);
    if (!miss.empty()) line += R"(,"missed":true)";
    if (!figure.how.empty()) line += fmt::format(R"(,"how":"{}")", figure.how);
    fmt::print("{}}}\n", line);
    std::fflush(stdout);
    if (!miss.empty()) misses_.push_back(std::move(miss));
}

}  // namespace caribou::bench
