#include "platform/mission_reader.hpp"

#include <cstdlib>

#include "base/limits.hpp"
#include "platform/text_file.hpp"

namespace caribou {

Result<bus::Mission> read_mission_file(const std::string& path) {
    const auto text = read_text_file(path, 4_MiB);
    if (!text) return fail(text.error());
    return bus::parse_mission(*text, path, [](std::string_view name) -> std::optional<std::string> {
        const char* value = std::getenv(std::string(name).c_str());
        if (!value) return std::nullopt;
        return value;
    });
}

}  // namespace caribou
