#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Who may delegate to whom, and what that needs: all that a check has to know of a tree, be it
/// written in code or in files.
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

    /// The nodes that list this one, in order.
    std::vector<std::size_t> parents_of(std::size_t node) const;
};

/// Of behaviors, by what they themselves say. Delegates of another tree are left out.
TreeGraph graph_of(const BehaviorTree& tree, std::size_t base);
/// Of a plan that may have faults and could not be built.
TreeGraph graph_of(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
