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

/// Makes the behaviors of a plan, in its order, and hands children to their parents. Code of the user
/// may refuse or throw here; that is noted, and the others are made all the same.
class TreeBuilder {
public:
    /// Both outlive it. The plan was read with this registry, without faults.
    TreeBuilder(const TreePlan& plan, const ClassRegistry& classes);

    /// Whole only if there are no failures.
    std::unique_ptr<BehaviorTree> build();
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
    std::vector<Behavior*> made_;  ///< by number of the entry; null: it failed
    std::vector<TreeFinding> failures_;
};

}  // namespace caribou::behavior
