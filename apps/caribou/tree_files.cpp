#include "caribou/tree_files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace caribou::app {
namespace {

std::unexpected<Error> io_error(std::string_view what, const std::string& path) {
    const int number = errno;
    return fail(Code::io, fmt::format("cannot {} {}: {}", what, path,
                                      number != 0 ? std::strerror(number) : "it is not readable"));
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return io_error("open", path);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (errno != 0) return io_error("read", path);
    return text;
}

Result<void> write_file(const std::string& path, ByteView bytes) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text_of(bytes) << std::flush;
    if (!file) return io_error("write", path);
    return {};
}

Result<std::vector<behavior::TreeText>> read_tree_files(const std::vector<std::string>& paths) {
    std::vector<behavior::TreeText> files;
    for (const std::string& path : paths) {
        auto text = read_file(path);
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
