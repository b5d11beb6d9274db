#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace caribou {

/// Returns the command line of this process, beginning with the program; empty if it cannot be read.
std::vector<std::string> words_as_started();

/// Replaces this process by a new instance of the same program, with the same arguments and one more
/// environment variable. Returns only on failure. All other threads must have ended; files not inherited by
/// children are closed.
Error start_fresh_image(const std::string& name, const std::string& value);

}  // namespace caribou
