#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// A function that measures one or more figures, and the name that selects it on the command line.
struct Metric {
    std::string_view name;
    void (*measure)(const Report&, const Effort&);
    bool only_if_named = false;  ///< takes minutes
};

/// The main of every benchmark: `[METRIC...] [--seconds N] [--count N]` measures the named figures, or all
/// that do not take minutes. Names the figures that missed their limit, and returns the exit status: 1 if
/// there are any.
[[nodiscard]] int measure(const std::string& bench, std::span<const Metric> metrics, Effort effort,
                          std::span<char* const> words);

}  // namespace caribou::bench
