#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou {

/// Returns the path of an executable in the folders of PATH; empty if there is none.
std::filesystem::path find_program(std::string_view name);

/// Starts a program that this process neither waits for nor ends: in a session of its own, without a terminal
/// and with empty standard streams. `words` starts with its path. Not reported: how it ends, and whether it
/// could be executed.
Result<void> start_detached(std::vector<std::string> words);

}  // namespace caribou
