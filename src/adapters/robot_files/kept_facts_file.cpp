#include "adapters/robot_files/kept_facts_file.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "adapters/robot_files/config_file.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

constexpr std::size_t most = 1_MiB;

}  // namespace

Result<std::string> KeptFactsFile::load() {
    std::error_code ignored;
    if (!std::filesystem::exists(path_, ignored))
        return fail(Code::not_found, fmt::format("{} does not exist", path_));
    return read_text_file(path_, most);
}

Result<void> KeptFactsFile::save(std::string_view text) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
    return ConfigFile(path_).write(std::string(text));
}

}  // namespace caribou
