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

/// Updates the tree of a runner to its newest valid version while it runs. The caller watches the files and
/// supplies their contents.
///
/// | the new text                            | the runner                                        |
/// |-----------------------------------------|---------------------------------------------------|
/// | is the same as before                   | continues unchanged                               |
/// | gives, with the other files, a valid    | at the beginning of the next tick its stack is    |
/// | tree                                    | emptied, and the new base is asked                |
/// | gives an invalid tree                   | continues with the old tree                       |
///
/// The newest text of each file is kept even if it was refused: a change that affects two files is refused
/// with the first and accepted with the second.
class TreeReload {
public:
    enum class Change : std::uint8_t { none, accepted };

    /// `files` are those from which the runner's tree was loaded. `runner` and `classes` must outlive it.
    TreeReload(BehaviorRunner& runner, const ClassRegistry& classes, std::vector<TreeText> files,
               TreeLimits limits = {});

    /// Replaces a file, or adds it if its name is new. Returns the errors if the new tree was refused.
    std::expected<Change, std::vector<TreeFault>> change(TreeText file);
    /// Removes a file from the tree. Returns the errors if the new tree was refused.
    std::expected<Change, std::vector<TreeFault>> remove(std::string_view name);

    const std::vector<TreeText>& files() const { return files_; }
    /// Returns the plan of the newest tree that was accepted, which takes effect in the next tick; empty
    /// before the first change.
    const TreePlan& plan() const { return plan_; }

private:
    std::expected<Change, std::vector<TreeFault>> load();

    BehaviorRunner& runner_;
    const ClassRegistry& classes_;
    std::vector<TreeText> files_;
    TreeLimits limits_;
    TreePlan plan_;
};

}  // namespace caribou::behavior
