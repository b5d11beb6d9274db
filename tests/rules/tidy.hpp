#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rules/source_text.hpp"

namespace caribou::rules {

/// Holds every file to the rules in tidy.cpp. A line that has to break one says so, in it or in the
/// line before, with the rule's name and the reason: `// tidy: allow lock: signal handlers may not …`.
std::vector<Finding> check_tidy(std::span<const SourceFile> files);

}  // namespace caribou::rules
