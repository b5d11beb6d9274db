#pragma once

#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou {

/// Returns the contents of a regular file. Fails with the path and the system's message, or if the file has
/// more than `most` bytes. Fails for a pipe or device, instead of waiting for it.
Result<std::string> read_text_file(const std::string& path, std::size_t most = 64_MiB);

/// Writes a file, replacing its contents. The error contains the path.
Result<void> write_text_file(const std::string& path, std::string_view text);

}  // namespace caribou
