#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace caribou::app {

/// Checks that a file can be appended to, or can be created along with the folders above it. A pipe that
/// nobody reads cannot. Tries it, and leaves nothing behind.
Result<void> check_writable(const std::filesystem::path& file);

}  // namespace caribou::app
