#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou {

/// The value of an environment variable; empty: there is none.
std::string environment_value(const std::string& name);

/// Starts this very program anew, in this process, with the same words and one more environment variable.
/// Returns only if that fails. All threads but this one have ended; open files that are not for children
/// are closed.
Error start_fresh_image(const std::string& name, const std::string& value);

}  // namespace caribou
