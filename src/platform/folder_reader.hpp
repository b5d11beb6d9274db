#pragma once

#include <map>
#include <string>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou {

/// Returns the contents of all regular files in a folder and its subfolders, by relative path: `assets/a.js`.
/// Fails if they have more than `most` bytes together.
Result<std::map<std::string, std::string, std::less<>>> read_folder(const std::string& folder,
                                                                    std::size_t most = 16_MiB);

}  // namespace caribou
