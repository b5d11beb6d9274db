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
    if (figure.at_most) line += fmt::format(R"(,"at_most":{:.6g})", *figure.at_most);
    if (figure.at_least) line += fmt::format(R"(,"at_least":{:.6g})", *figure.at_least);
    const bool keeps = !(figure.at_most && !(figure.value <= *figure.at_most)) &&
                       !(figure.at_least && !(figure.value >= *figure.at_least));
    if (!keeps) {
        missed_ = true;
        line += R"(,"missed":true)";
    }
    fmt::print("{}}}\n", line);
    std::fflush(stdout);
}

}  // namespace caribou::bench
