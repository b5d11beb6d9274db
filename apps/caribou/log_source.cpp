#include "caribou/log_source.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/path_name.hpp"

namespace caribou::app {

Result<LogSource> LogSource::open(const std::string& path) {
    auto log = MappedFile::open(path);
    if (!log) return fail(std::move(log.error()));
    return LogSource(std::filesystem::path(path).parent_path(), std::move(*log));
}

Result<std::string_view> LogSource::resolve(const wire::AlogReference& reference) {
    const std::string name(reference.file.substr(reference.file.rfind('/') + 1));
    if (auto checked = check_file_name(name); !checked) return fail(std::move(checked.error()));
    auto found = beside_.find(name);
    if (found == beside_.end()) {
        auto file = MappedFile::open(std::filesystem::path(folder_) / name);
        if (!file) return fail(std::move(file.error()));
        found = beside_.emplace(name, std::move(*file)).first;
    }
    const std::string_view all = found->second.text();
    if (reference.offset > all.size() || reference.bytes > all.size() - reference.offset)
        return fail(Code::malformed, fmt::format("{} ends before the value at {}", name, reference.offset));
    return all.substr(reference.offset, reference.bytes);
}

}  // namespace caribou::app
