#include "report.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace caribou::bench {

void Report::progress(std::string_view what) const { fmt::print(stderr, "bench {}: {}\n", bench_, what); }

void Report::add(const Figure& figure) const {
    std::string line = fmt::format(R"({{"bench":"{}","metric":"{}","value":{:.6g},"unit":"{}")", bench_,
                                   figure.metric, figure.value, figure.unit);
    if (figure.floor)
        line += fmt::format(R"(,"floor":{:.6g},"ratio":{:.4g})", *figure.floor, figure.value / *figure.floor);
    if (!figure.how.empty()) line += fmt::format(R"(,"how":"{}")", figure.how);
    fmt::print("{}}}\n", line);
    std::fflush(stdout);
}

}  // namespace caribou::bench
