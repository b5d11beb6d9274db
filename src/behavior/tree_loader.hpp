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

/// A tree loaded from files, ready for a BehaviorRunner.
struct LoadedTree {
    std::unique_ptr<BehaviorTree> tree;
    std::string base;                   ///< its id
    TreePlan plan;                      ///< from which it was built
    std::vector<TreeFault> warnings{};  ///< about parts without effect; see find_doubts()
};

/// Reads, builds and checks the tree that the files describe together. Returns the tree if everything is
/// valid, otherwise all errors, at least one.
std::expected<LoadedTree, std::vector<TreeFault>> load_tree(std::span<const TreeText> files,
                                                            const ClassRegistry& classes,
                                                            const TreeLimits& limits = {});

/// Builds a new tree from a plan that was read with this registry. If a function of a user class fails or
/// throws, returns an error with the id of the behavior.
Result<std::unique_ptr<BehaviorTree>> build_tree(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
