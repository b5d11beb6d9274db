#include "kit/robot/tree_files.hpp"

#include "platform/text_file.hpp"

namespace caribou::app {

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
