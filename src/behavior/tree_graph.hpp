#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Which behavior may delegate to which, and what that requires: the input of the checks, for trees from code
/// and from files.
struct TreeGraph {
    struct Node {
        std::string id;
        std::vector<std::size_t> delegates;
        std::vector<std::string> ensures;
        std::vector<std::string> needs_ensured;
    };
    static constexpr std::size_t none = SIZE_MAX;

    std::vector<Node> nodes;  ///< by number
    std::size_t base = 0;

    /// Returns the nodes that list this one, in order.
    std::vector<std::size_t> parents_of(std::size_t node) const;
};

/// Returns the graph of a tree, from the declarations of its behaviors. Delegates in other trees are left
/// out.
TreeGraph graph_of(const BehaviorTree& tree, std::size_t base);
/// Returns the graph of a plan, which may have errors that keep it from being built.
TreeGraph graph_of(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
