#pragma once

#include <string>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou {

/// The bytes of a whole file. The error has the path and what the system says; a file of more than
/// `most` bytes is refused.
Result<std::string> read_text_file(const std::string& path, std::size_t most = 64_MiB);

}  // namespace caribou
