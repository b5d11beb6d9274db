#pragma once

#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou {

/// The bytes of a whole file. The error has the path and what the system says; a file of more than
/// `most` bytes is refused.
Result<std::string> read_text_file(const std::string& path, std::size_t most = 64_MiB);

/// Makes the file what it is told, or says why not, with the path.
Result<void> write_text_file(const std::string& path, std::string_view text);

}  // namespace caribou
