#pragma once

#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou {

/// Returns the contents of a file. Fails with the path and the system's message, or if the file has more than
/// `most` bytes.
Result<std::string> read_text_file(const std::string& path, std::size_t most = 64_MiB);

/// Same, but fails if it is not a regular file, instead of waiting for the writer of a pipe.
Result<std::string> read_regular_file(const std::string& path, std::size_t most);

/// Writes a file, replacing its contents. The error contains the path.
Result<void> write_text_file(const std::string& path, std::string_view text);

}  // namespace caribou
