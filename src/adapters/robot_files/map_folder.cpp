#include "adapters/robot_files/map_folder.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "adapters/robot_files/config_file.hpp"
#include "base/path_name.hpp"
#include "map/stored_map.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

constexpr std::string_view map_suffix = ".map";

}  // namespace

Result<std::string> MapFolder::file_of(const std::string& name) const {
    if (const auto good = check_path_name(name); !good) return fail(good.error());
    return (std::filesystem::path(path_) / name).string() + std::string(map_suffix);
}

Result<std::vector<std::string>> MapFolder::names() {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(path_, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::filesystem::path file = entry->path().filename();
        const std::string name = file.stem().string();
        std::error_code ignored;  // a link that leads nowhere
        if (file.extension() == map_suffix && check_path_name(name) && entry->is_regular_file(ignored))
            names.push_back(name);
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return fail(Code::io, fmt::format("{} cannot be read: {}", path_, error.message()));
    std::ranges::sort(names);
    return names;
}

Result<std::string> MapFolder::load(const std::string& name) {
    const auto file = file_of(name);
    if (!file) return file;
    std::error_code ignored;
    if (!std::filesystem::exists(*file, ignored))
        return fail(Code::not_found, fmt::format("{} does not exist", *file));
    return read_text_file(*file, map::StoredMap::max_bytes);
}

Result<void> MapFolder::save(const std::string& name, std::string_view text) {
    const auto file = file_of(name);
    if (!file) return fail(file.error());
    std::error_code ignored;
    std::filesystem::create_directories(path_, ignored);
    return ConfigFile(*file).write(std::string(text));
}

Result<void> MapFolder::back_up(const std::string& name, int version) {
    const auto text = load(name);
    if (!text) return fail(text.error());
    return ConfigFile(fmt::format("{}.{}", *file_of(name), version)).write(*text);
}

Result<void> MapFolder::remove(const std::string& name) {
    const auto file = file_of(name);
    if (!file) return fail(file.error());
    std::error_code error;
    if (std::filesystem::remove(*file, error)) return {};
    if (!error) return fail(Code::not_found, fmt::format("{} does not exist", *file));
    return fail(Code::io, fmt::format("{} was not deleted: {}", *file, error.message()));
}

}  // namespace caribou
