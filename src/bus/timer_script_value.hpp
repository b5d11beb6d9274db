#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace caribou::bus {

/// Replaces the macros `$[NAME]` and `$(NAME)`. A macro whose value is nullopt stays as it is.
std::string replace_macros(std::string_view text,
                           const std::function<std::optional<std::string>(std::string_view name)>& value_of);

/// Replaces calculations in braces, `{2*{3+1}}`, by their results, with at most six decimals. Braces with
/// another content stay as they are.
std::string calculate_braces(std::string text);

/// Returns a number with at most six decimals.
std::string short_number(double number);

}  // namespace caribou::bus
