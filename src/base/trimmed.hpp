#pragma once

#include <string_view>

namespace caribou {

/// Whitespace characters within a line.
inline constexpr std::string_view blanks = " \t\r\f\v";

/// Returns the text without leading and trailing whitespace. The result refers to the argument's memory.
constexpr std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace caribou
