#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace caribou {

/// Returns the candidate with the smallest edit distance to `word`, or nullopt if none is close enough. For
/// error messages such as "no command `scoep`; did you mean `scope`?".
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace caribou
