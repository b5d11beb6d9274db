#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace caribou {

/// A variable of the environment, which may be empty; nothing if it is not set.
std::optional<std::string> environment(const std::string& name);

/// Where this user's files of a kind stand: what the variable says, or else that folder below the user's
/// home.
std::filesystem::path folder_of_user(const std::string& variable, const std::string& below_home);

}  // namespace caribou
