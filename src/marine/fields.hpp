#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/trimmed.hpp"

/// Values such as `x=1,pts={1,2:3,4},msg="a, b"`, of which all strings of the marine view consist.
namespace caribou::marine {

/// Returns the text with ASCII letters in lower case.
std::string lower(std::string_view text);

/// Returns the parts between separators that are outside of braces and double quotes, trimmed. An empty text
/// has no parts.
std::vector<std::string_view> split_outside(std::string_view text, char separator);

struct TextField {
    std::string name;  ///< in lower case; empty if the part contains no `=`
    std::string_view value;
};

/// Returns the parts of a list that is separated by commas, each with what precedes its first `=` as name.
std::vector<TextField> fields_in(std::string_view text);

/// Returns the text without one pair of enclosing characters, or nullopt if it is not enclosed.
std::optional<std::string_view> enclosed(std::string_view text, char begin, char end);

/// Returns the number with at most `digits` decimals, without trailing zeros: `1.5`, `-3`, `0`.
std::string short_number(double number, int digits);

/// Returns true or false for these words in any case, otherwise nullopt.
std::optional<bool> truth_in(std::string_view text);

}  // namespace caribou::marine
