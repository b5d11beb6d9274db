#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

// The checks for every name that becomes part of a path. A name that passes names something within its
// folder, whatever it is appended to.

// Bytes of a name at most.
inline constexpr std::size_t max_path_name = 64;
inline constexpr std::size_t max_file_name = 255;

/// Checks the name of a robot, a person or a key: letters, digits, `-` and `_`. invalid_argument otherwise.
Result<void> check_path_name(std::string_view name);

/// Checks the name of a file in a known folder: the same characters, and `.` except as the first one.
Result<void> check_file_name(std::string_view name);

}  // namespace caribou
