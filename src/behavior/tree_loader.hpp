#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree.hpp"
#include "behavior/tree_fault.hpp"
#include "behavior/tree_limits.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// A tree from files, ready for a BehaviorRunner.
struct LoadedTree {
    std::unique_ptr<BehaviorTree> tree;
    std::string base;  ///< its id
    TreePlan plan;     ///< what it was built from
};

/// Reads, builds and checks the tree that some files describe together. Either all of it is right, or
/// there is no tree but a list of everything that is wrong, at least one entry long.
std::expected<LoadedTree, std::vector<TreeFault>> load_tree(std::span<const TreeText> files,
                                                            const ClassRegistry& classes,
                                                            const TreeLimits& limits = {});

/// A fresh tree from a plan that was read with this registry. What the makers of user classes refuse
/// or throw is the error, with the id of the behavior.
Result<std::unique_ptr<BehaviorTree>> build_tree(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
