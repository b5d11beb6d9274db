#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "loop/time.hpp"

namespace caribou {

/// Parses a duration, written as a number and a unit (ns, us, ms, s, min, h) such as `250ms` or `1.5min`.
/// Returns nullopt if the text is malformed, negative, or longer than 100 years.
std::optional<Duration> duration_from(std::string_view text);

/// Returns the duration as text, exactly, in the largest unit that gives an integer: `90s`, `2min`.
std::string duration_text(Duration duration);

}  // namespace caribou
