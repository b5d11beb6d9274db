#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caribou {

/// Splits a line into words at spaces and tabs. A word in double quotes may contain them: "two words". Inside
/// the quotes `\"` is a quote and `\\` is a backslash; any other backslash is itself.
std::vector<std::string> words_in(std::string_view line);

/// Returns the parts of lists whose parts are separated by commas, trimmed, without empty ones.
std::vector<std::string> parts_of_lists(const std::vector<std::string>& lists);

/// Returns the word as words_in reads it back: in quotes, with escapes, if it is empty or contains white
/// space, quotes or backslashes.
std::string quoted_word(std::string_view word);

}  // namespace caribou
