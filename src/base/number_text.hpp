#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caribou {

/// Returns the number that the text consists of, such as `3`, `+0.5` or `-1e3`; surrounding whitespace is
/// ignored. Returns nullopt for anything else, including `nan`, `inf` and hexadecimal digits.
std::optional<double> number_in(std::string_view text);

/// Returns the shortest text that parses back to exactly this number.
std::string number_text(double number);

}  // namespace caribou
