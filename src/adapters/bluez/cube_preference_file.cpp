#include "adapters/bluez/cube_preference_file.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace caribou {
namespace {

Result<void> not_saved(const std::filesystem::path& path, const std::string& why) {
    return fail(Code::io, fmt::format("the preferred cube was not saved to {}: {}", path.string(), why));
}

}  // namespace

std::optional<cubes::CubeAddress> CubePreferenceFile::load() {
    std::ifstream file(path_);
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    const auto address = cubes::CubeAddress::parse(line);
    return address ? std::optional(*address) : std::nullopt;
}

Result<void> CubePreferenceFile::save(std::optional<cubes::CubeAddress> preferred) {
    std::error_code error;
    if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), error);
    if (error) return not_saved(path_, error.message());
    const std::filesystem::path draft = path_.string() + ".new";
    std::ofstream file(draft, std::ios::trunc);
    if (preferred) file << to_string(*preferred) << '\n';
    file.close();
    if (!file) return not_saved(path_, fmt::format("{} cannot be written", draft.string()));
    std::filesystem::rename(draft, path_, error);
    if (error) return not_saved(path_, error.message());
    return {};
}

}  // namespace caribou
