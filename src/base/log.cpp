#include "base/log.hpp"

#include <algorithm>

namespace caribou {

std::string_view to_string(Level level) {
    switch (level) {
        case Level::debug: return "debug";
        case Level::info: return "info";
        case Level::warning: return "warning";
        case Level::error: return "error";
    }
    return "unknown";
}

bool MemoryLog::mentions(std::string_view text) const {
    return std::ranges::any_of(lines, [&](const Line& line) { return line.text.contains(text); });
}

}  // namespace caribou
