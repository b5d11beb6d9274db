#pragma once

#include <map>
#include <string>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace caribou {

/// The content of every file of a folder and of those below it, by path from there: `assets/a.js`. More than
/// `most` bytes together are refused, and what is no ordinary file is passed over.
Result<std::map<std::string, std::string, std::less<>>> read_folder(const std::string& folder,
                                                                    std::size_t most = 16_MiB);

}  // namespace caribou
