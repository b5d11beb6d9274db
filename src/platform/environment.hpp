#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace caribou {

/// Returns an environment variable, which may be empty; nullopt if it is not set.
std::optional<std::string> environment(const std::string& name);

/// Returns the folder of this user's files of a kind: the value of the variable, or else the folder below the
/// user's home.
std::filesystem::path folder_of_user(const std::string& variable, const std::string& below_home);

}  // namespace caribou
