#pragma once

// What reader and writer of .alog agree on.

#include <string_view>

#include "wire/message.hpp"

namespace caribou::wire::alog {

inline constexpr std::string_view reference_begin = "<MOOS_BINARY>";
inline constexpr std::string_view reference_end = "</MOOS_BINARY>";

/// What a value is taken for if nothing else is said.
DataType looks_like(std::string_view value);

/// Whether a value would not survive in a line: line ends, blanks at its beginning, or a text that
/// looks like a reference.
bool is_awkward(std::string_view value);

}  // namespace caribou::wire::alog
