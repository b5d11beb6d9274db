#pragma once

#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_fault.hpp"
#include "behavior/tree_limits.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {

/// Gives a runner the newest good version of its tree while it runs. Somebody outside watches the
/// files and hands their texts in.
///
/// | the new text                            | the runner                                        |
/// |-----------------------------------------|---------------------------------------------------|
/// | is the same as before                   | goes on; nothing happens                          |
/// | makes, with the other files, a good tree| at the beginning of the next tick its stack is    |
/// |                                         | emptied, and the new base is asked                |
/// | makes a bad one                         | goes on with the old tree                         |
///
/// The newest text of each file counts, also after it was refused: a change over two files is refused
/// with the first and taken with the second.
class TreeReload {
public:
    enum class Change : std::uint8_t { none, accepted };

    /// `files` are those that the runner's tree was loaded from. Runner and classes outlive it.
    TreeReload(BehaviorRunner& runner, const ClassRegistry& classes, std::vector<TreeText> files,
               TreeLimits limits = {});

    /// A file whose name is not known yet is added to the others. The error says why the new tree was
    /// refused.
    std::expected<Change, std::vector<TreeFault>> change(TreeText file);
    /// The file belongs to the tree no longer.
    std::expected<Change, std::vector<TreeFault>> remove(std::string_view name);

    const std::vector<TreeText>& files() const { return files_; }

private:
    std::expected<Change, std::vector<TreeFault>> load();

    BehaviorRunner& runner_;
    const ClassRegistry& classes_;
    std::vector<TreeText> files_;
    TreeLimits limits_;
};

}  // namespace caribou::behavior
