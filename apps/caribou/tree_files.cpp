#include "caribou/tree_files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "platform/text_file.hpp"

namespace caribou::app {

Result<void> write_file(const std::string& path, ByteView bytes) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text_of(bytes) << std::flush;
    if (!file) return fail(Code::io, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    return {};
}

Result<std::vector<behavior::TreeText>> read_tree_files(const std::vector<std::string>& paths) {
    std::vector<behavior::TreeText> files;
    for (const std::string& path : paths) {
        auto text = read_text_file(path);
        if (!text) return fail(std::move(text.error()));
        files.push_back({path, std::move(*text)});
    }
    return files;
}

Result<behavior::LoadedTree> load_tree_files(const std::vector<std::string>& paths,
                                             const behavior::ClassRegistry& classes) {
    const auto files = read_tree_files(paths);
    if (!files) return fail(files.error());
    auto loaded = behavior::load_tree(*files, classes);
    if (!loaded) return fail(Code::malformed, to_string(loaded.error()));
    return std::move(*loaded);
}

}  // namespace caribou::app
