#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report.hpp"
#include "rounds.hpp"

namespace caribou::bench {

struct Metric {
    std::string_view name;
    void (*measure)(const Report&, const Effort&);
    bool only_if_named = false;  ///< it takes minutes
};

/// The main of every benchmark: `[METRIC...] [--seconds N]` measures those that are named, or all
/// that do not take minutes.
void measure(const std::string& bench, std::span<const Metric> metrics, Effort effort,
             std::span<char* const> words);

}  // namespace caribou::bench
