#pragma once

#include <string>
#include <string_view>

namespace caribou {

/// A text as JSON: in quotes, with escapes where they are needed.
std::string json_quoted(std::string_view text);

}  // namespace caribou
