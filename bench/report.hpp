#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::bench {

/// One measured figure. The floor is the cost of the same work without the measured part. A benchmark fails
/// if a figure misses its limit.
struct Figure {
    std::string_view metric;
    double value;
    std::string_view unit;
    std::optional<double> floor{};
    std::optional<double> at_most{};   ///< limit that the value is promised to keep
    std::optional<double> at_least{};  ///< the same, from below
    std::string_view
        how{};  ///< how it is measured, if the name does not say it; in plain ASCII without quotes
};

/// Returns what is wrong with a figure that misses its limit, and an empty text otherwise.
std::string miss_of(const Figure& figure);

/// Prints figures as JSON lines to stdout, and progress to stderr.
class Report {
public:
    explicit Report(std::string bench) : bench_(std::move(bench)) {}

    /// Prints a line to stderr, which is not part of the results.
    void progress(std::string_view what) const;
    /// Prints a figure as one JSON line to stdout. Keeps what is wrong with one that misses its limit.
    void add(const Figure& figure) const;
    /// Returns what is wrong with the figures so far, in their order.
    const std::vector<std::string>& misses() const { return misses_; }

private:
    std::string bench_;
    mutable std::vector<std::string> misses_;
};

}  // namespace caribou::bench
