#include "platform/environment.hpp"

#include <cstdlib>

namespace caribou {

std::optional<std::string> environment(const std::string& name) {
    // The environment is only changed right before the program replaces itself.
    const char* const value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
    if (!value) return std::nullopt;
    return value;
}

std::filesystem::path folder_of_user(const std::string& variable, const std::string& below_home) {
    if (const auto told = environment(variable); told && !told->empty()) return *told;
    const std::string home = environment("HOME").value_or("");
    return std::filesystem::path(home.empty() ? "." : home) / below_home;
}

}  // namespace caribou
