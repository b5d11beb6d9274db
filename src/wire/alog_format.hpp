#pragma once

// Definitions shared by the reader and the writer of .alog files.

#include <string_view>

#include "wire/message.hpp"

namespace caribou::wire::alog {

inline constexpr std::string_view reference_begin = "<MOOS_BINARY>";
inline constexpr std::string_view reference_end = "</MOOS_BINARY>";

/// Returns the type of a value for which the log does not state one.
DataType looks_like(std::string_view value);

/// Returns whether a value cannot be written into a line unchanged: it contains line ends or NUL, begins with
/// whitespace, or looks like a reference.
bool is_awkward(std::string_view value);

}  // namespace caribou::wire::alog
