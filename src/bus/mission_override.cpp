#include "bus/mission_override.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/trimmed.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

std::string override_global(std::string_view text, std::string_view key, std::string_view value) {
    const std::string replacement = fmt::format("{} = {}", key, value);
    std::string result;
    bool found = false;
    int depth = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string_view content = trimmed(line.substr(0, line.find("//")));
        if (content == "{") ++depth;
        if (content == "}") --depth;
        const std::size_t equals = content.find('=');
        const bool sets_key = depth == 0 && equals != std::string_view::npos &&
                              same_key(trimmed(content.substr(0, equals)), key);
        if (sets_key)
            fmt::format_to(std::back_inserter(result), "{}  // was: {}\n", replacement, trimmed(line));
        else
            fmt::format_to(std::back_inserter(result), "{}\n", line);
        found = found || sets_key;
    }
    return found ? result : replacement + "\n" + result;
}

}  // namespace caribou::bus
