#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caribou {

/// Splits a line into words at spaces and tabs. A word in double quotes may contain them: "two words".
std::vector<std::string> words_in(std::string_view line);

}  // namespace caribou
