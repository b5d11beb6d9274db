#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caribou::bench {

/// One measured figure. The floor is the cost of the same work without the measured part.
struct Figure {
    std::string_view metric;
    double value;
    std::string_view unit;
    std::optional<double> floor{};
    std::string_view
        how{};  ///< how it is measured, if the name does not say it; in plain ASCII without quotes
};

/// Prints figures as JSON lines to stdout, and progress to stderr.
class Report {
public:
    explicit Report(std::string bench) : bench_(std::move(bench)) {}

    /// Prints a line to stderr, which is not part of the results.
    void progress(std::string_view what) const;
    /// Prints a figure as one JSON line to stdout.
    void add(const Figure& figure) const;

private:
    std::string bench_;
};

}  // namespace caribou::bench
