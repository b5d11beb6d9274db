#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou::app {

/// Checks the program and arguments that a configuration has under `key`: the program is a path, or found in
/// PATH, and the script of an interpreter exists. Fails with not_found. `command` is not empty.
Result<void> check_command(std::string_view key, const std::vector<std::string>& command);

}  // namespace caribou::app
