#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rules/source_text.hpp"

namespace caribou::rules {

/// Checks all files against the rules in tidy.cpp. A line that must break a rule contains, in itself or in
/// the previous line, the rule's name and the reason: `// tidy: allow lock: signal handlers may not …`.
std::vector<Finding> check_tidy(std::span<const SourceFile> files);

}  // namespace caribou::rules
