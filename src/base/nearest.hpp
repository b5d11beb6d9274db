#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace caribou {

/// The candidate that somebody who wrote `word` most likely meant, if any is close enough: for
/// sentences like "no command `scoep`; did you mean `scope`?".
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace caribou
