#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caribou {

/// Words end at blanks; "one with blanks" stands in quotes.
std::vector<std::string> words_in(std::string_view line);

}  // namespace caribou
