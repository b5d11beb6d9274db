#include "platform/folder_reader.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "platform/system_error.hpp"
#include "platform/text_file.hpp"

namespace caribou {

Result<std::map<std::string, std::string, std::less<>>> read_folder(const std::string& folder,
                                                                    std::size_t most) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string, std::less<>> files;
    std::error_code failed;
    std::size_t left = most;
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        if (!at->is_regular_file(failed)) continue;
        const fs::path& path = at->path();
        auto content = read_text_file(path.string(), left);
        if (!content) return fail(std::move(content.error()));
        left -= content->size();
        files.emplace(path.lexically_relative(folder).generic_string(), std::move(*content));
    }
    if (failed) return fail(system_error(fmt::format("cannot read the folder {}", folder), failed.value()));
    return files;
}

}  // namespace caribou
