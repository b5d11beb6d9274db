#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou {

/// Replaces this process by a new instance of the same program, with the same arguments and one more
/// environment variable. Returns only on failure. All other threads must have ended; files not inherited by
/// children are closed.
Error start_fresh_image(const std::string& name, const std::string& value);

}  // namespace caribou
