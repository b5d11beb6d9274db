#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace caribou::marine {

/// `VARIABLE=value` of a button or a click, with macros in both.
struct PokeText {
    std::string variable{};
    std::string value{};
};

/// Returns nullopt if there is no `=` or no variable.
std::optional<PokeText> parse_poke(std::string_view text);

/// Values of macros by name: XPOS, LAT …
using Macros = std::map<std::string, std::string, std::less<>>;

/// Returns the text with `$(NAME)` and `$[NAME]` replaced; unknown macros stay.
std::string expanded(std::string_view text, const Macros& macros);

/// Returns the value that a text means: a text in quotes without them, a number, or the text.
std::variant<double, std::string> poke_value(std::string_view text);

}  // namespace caribou::marine
