#pragma once

#include <string_view>

namespace caribou {

/// The characters that leave no mark within a line.
inline constexpr std::string_view blanks = " \t\r\f\v";

/// The text without the blanks at its ends.
constexpr std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace caribou
