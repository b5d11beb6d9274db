#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caribou {

/// The number that the whole text is, be there blanks around it: `3`, `+0.5`, `-1e3`. Not a number
/// are words, among them nan and inf, and hexadecimal digits.
std::optional<double> number_in(std::string_view text);

/// The shortest text that reads as exactly this number.
std::string number_text(double number);

}  // namespace caribou
