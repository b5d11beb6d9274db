#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou {

/// Starts this very program anew, in this process, with the same words and one more environment variable.
/// Returns only if that fails. All threads but this one have ended; open files that are not for children
/// are closed.
Error start_fresh_image(const std::string& name, const std::string& value);

}  // namespace caribou
