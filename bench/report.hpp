#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caribou::bench {

/// One measured figure. The floor is what the same work costs without what is measured.
struct Figure {
    std::string_view metric;
    double value;
    std::string_view unit;
    std::optional<double> floor{};
};

/// Prints figures as JSON lines to stdout, and what is going on to stderr.
class Report {
public:
    explicit Report(std::string bench) : bench_(std::move(bench)) {}

    void progress(std::string_view what) const;
    void add(const Figure& figure) const;

private:
    std::string bench_;
};

}  // namespace caribou::bench
