#include "caribou/patterns.hpp"

#include <algorithm>

namespace caribou::app {

Result<void> register_patterns(bus::Client& client, const std::vector<std::string>& patterns,
                               std::string_view source, Duration every) {
    for (const std::string& pattern : patterns) {
        auto asked = pattern.find_first_of("*?") == std::string::npos
                         ? client.register_variable(pattern, every)
                         : client.register_wildcard(pattern, source, every);
        if (!asked) return asked;
    }
    return {};
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
    return std::ranges::any_of(patterns,
                               [&](const std::string& pattern) { return bus::glob_matches(pattern, name); });
}

}  // namespace caribou::app
