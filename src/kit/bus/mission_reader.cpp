#include "kit/bus/mission_reader.hpp"

#include "base/limits.hpp"
#include "platform/environment.hpp"
#include "platform/text_file.hpp"

namespace caribou {

Result<bus::Mission> read_mission_file(const std::string& path) {
    const auto text = read_text_file(path, 4_MiB);
    if (!text) return fail(text.error());
    return bus::parse_mission(*text, path,
                              [](std::string_view name) { return environment(std::string(name)); });
}

}  // namespace caribou
