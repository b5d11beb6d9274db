#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree.hpp"
#include "behavior/tree_check.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Creates the behaviors of a plan, in its order, and links children to their parents. User code may fail or
/// throw here; that is recorded, and the remaining behaviors are created nevertheless.
class TreeBuilder {
public:
    /// Both must outlive it. The plan must have been read with this registry, without errors.
    TreeBuilder(const TreePlan& plan, const ClassRegistry& classes);

    /// Returns the tree, which is complete only if there are no failures.
    std::unique_ptr<BehaviorTree> build();
    /// Returns the failures of build(), and clears them.
    std::vector<TreeFinding> take_failures() { return std::move(failures_); }

private:
    Behavior* make(std::size_t entry);
    void link(std::size_t entry);
    void declare(std::size_t entry);
    template <class UserCode>
    void contain(std::size_t entry, UserCode code);

    const TreePlan& plan_;
    const ClassRegistry& classes_;
    std::vector<Parameter> entry_parameters_;
    std::unique_ptr<BehaviorTree> tree_;
    std::vector<Behavior*> made_;  ///< by number of the entry; null if it failed
    std::vector<TreeFinding> failures_;
};

}  // namespace caribou::behavior
