#include "behavior/tree_reload.hpp"

#include <algorithm>
#include <utility>

namespace caribou::behavior {

TreeReload::TreeReload(BehaviorRunner& runner, const ClassRegistry& classes, std::vector<TreeText> files,
                       TreeLimits limits)
    : runner_(runner), classes_(classes), files_(std::move(files)), limits_(limits) {}

std::expected<TreeReload::Change, std::vector<TreeFault>> TreeReload::change(TreeText file) {
    const auto known = std::ranges::find(files_, file.name, &TreeText::name);
    if (known == files_.end())
        files_.push_back(std::move(file));
    else if (*known == file)
        return Change::none;
    else
        *known = std::move(file);
    return load();
}

std::expected<TreeReload::Change, std::vector<TreeFault>> TreeReload::remove(std::string_view name) {
    const auto removed = std::erase_if(files_, [&](const TreeText& file) { return file.name == name; });
    return removed > 0 ? load() : Change::none;
}

std::expected<TreeReload::Change, std::vector<TreeFault>> TreeReload::load() {
    auto loaded = load_tree(files_, classes_, limits_);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    if (auto taken = runner_.request_tree(std::move(loaded->tree), loaded->base); !taken)
        return std::unexpected(std::vector<TreeFault>{{files_.front().name, 1, 1, taken.error().message}});
    plan_ = std::move(loaded->plan);
    return Change::accepted;
}

}  // namespace caribou::behavior
