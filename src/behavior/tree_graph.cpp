#include "behavior/tree_graph.hpp"

#include <algorithm>
#include <iterator>

namespace caribou::behavior {
namespace {

std::vector<std::string> joined(std::vector<std::string> names, const ParameterValues& values,
                                std::string_view parameter) {
    if (const auto* more = given<std::vector<std::string>>(values, parameter))
        names.insert(names.end(), more->begin(), more->end());
    return names;
}

}  // namespace

std::vector<std::size_t> TreeGraph::parents_of(std::size_t node) const {
    std::vector<std::size_t> parents;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (std::ranges::find(nodes[i].delegates, node) != nodes[i].delegates.end()) parents.push_back(i);
    return parents;
}

TreeGraph graph_of(const BehaviorTree& tree, std::size_t base) {
    TreeGraph graph{.nodes = {}, .base = base};
    DelegateSet delegates;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        delegates.clear();
        tree[i].get_all_delegates(delegates);
        const OperationModifiers& modifiers = tree[i].modifiers();
        TreeGraph::Node& node = graph.nodes.emplace_back(
            TreeGraph::Node{tree[i].id(), {}, modifiers.ensures, modifiers.needs_ensured});
        for (const Behavior* delegate : delegates)
            if (tree.owns(*delegate)) node.delegates.push_back(delegate->number());
    }
    return graph;
}

TreeGraph graph_of(const TreePlan& plan, const ClassRegistry& classes) {
    TreeGraph graph{.nodes = {}, .base = plan.base};
    for (const TreeEntry& entry : plan.entries) {
        const auto found = classes.behaviors().find(entry.class_name);
        const BehaviorClass its_class = found == classes.behaviors().end() ? BehaviorClass{} : found->second;
        TreeGraph::Node& node = graph.nodes.emplace_back(
            TreeGraph::Node{entry.id,
                            {},
                            joined(its_class.ensures, entry.values, "ensures"),
                            joined(its_class.needs_ensured, entry.values, "needs_ensured")});
        if (const auto* requirement = given<std::string>(entry.values, "requirement"))
            std::ranges::move(classes.needs_of(*requirement), std::back_inserter(node.needs_ensured));
        for (const ChildPlan& child : entry.children) node.delegates.push_back(child.entry);
    }
    return graph;
}

}  // namespace caribou::behavior
