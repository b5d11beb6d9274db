#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "loop/time.hpp"

namespace caribou {

/// A duration as people write it: a number and its unit (ns, us, ms, s, min, h), such as `250ms` or
/// `1.5min`. None: it is not written like that, is negative, or is longer than 100 years.
std::optional<Duration> duration_from(std::string_view text);

/// The same back, exactly, in the largest unit that gives a whole number: `90s`, `2min`.
std::string duration_text(Duration duration);

}  // namespace caribou
