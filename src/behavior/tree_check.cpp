#include "behavior/tree_check.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace caribou::behavior {
namespace {

constexpr std::size_t none = SIZE_MAX;

bool names(const std::vector<std::string>& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

/// Breadth-first search along the delegates. `from[i]` is the node before i on a shortest path; a starting
/// node has itself, an unreached node has none.
struct Walk {
    std::vector<std::size_t> from;

    explicit Walk(std::size_t size) : from(size, none) {}
    bool reached(std::size_t node) const { return from[node] != none; }

    template <class Passes>
    void go(const TreeGraph& graph, std::size_t start, Passes passes) {
        if (reached(start)) return;
        from[start] = start;
        std::deque<std::size_t> next{start};
        while (!next.empty()) {
            const std::size_t node = next.front();
            next.pop_front();
            if (!passes(graph.nodes[node])) continue;
            for (const std::size_t delegate : graph.nodes[node].delegates) {
                if (reached(delegate)) continue;
                from[delegate] = node;
                next.push_back(delegate);
            }
        }
    }

    /// Returns the path, such as `robot > play > roll`.
    std::string way_to(const TreeGraph& graph, std::size_t node) const {
        std::string way = graph.nodes[node].id;
        for (; from[node] != node; node = from[node]) way = graph.nodes[from[node]].id + " > " + way;
        return way;
    }
};

bool always(const TreeGraph::Node&) { return true; }

void find_selves(const TreeGraph& graph, std::vector<TreeFinding>& findings) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (std::ranges::find(graph.nodes[i].delegates, i) != graph.nodes[i].delegates.end())
            findings.push_back({i, fmt::format("`{}` lists itself as a child", graph.nodes[i].id)});
}

void find_unreached(const TreeGraph& graph, std::vector<TreeFinding>& findings) {
    Walk walk(graph.nodes.size());
    walk.go(graph, graph.base, always);
    std::vector<bool> has_lost_parent(graph.nodes.size(), false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!walk.reached(i))
            for (const std::size_t delegate : graph.nodes[i].delegates)
                if (delegate != i) has_lost_parent[delegate] = true;
    const auto report = [&](std::size_t node) {
        findings.push_back(
            {node,
             fmt::format("`{}` is unreachable from the base `{}`: no reachable behavior lists it as a child",
                         graph.nodes[node].id, graph.nodes[graph.base].id)});
        walk.go(graph, node, always);
    };
    // First the topmost nodes, then one node of each cycle that has no topmost one.
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!walk.reached(i) && !has_lost_parent[i]) report(i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!walk.reached(i)) report(i);
}

void find_unensured(const TreeGraph& graph, std::vector<TreeFinding>& findings) {
    std::set<std::string> needed;
    for (const TreeGraph::Node& node : graph.nodes)
        needed.insert(node.needs_ensured.begin(), node.needs_ensured.end());
    for (const std::string& name : needed) {
        // A node that ensures it ends the search: everything beyond it is safe on this path.
        Walk walk(graph.nodes.size());
        walk.go(graph, graph.base, [&](const TreeGraph::Node& node) { return !names(node.ensures, name); });
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            if (walk.reached(i) && names(graph.nodes[i].needs_ensured, name))
                findings.push_back(
                    {i, fmt::format("`{}` needs an ancestor that ensures `{}`, and on the way {} "
                                    "there is none",
                                    graph.nodes[i].id, name, walk.way_to(graph, i))});
    }
}

}  // namespace

std::vector<TreeFinding> check_tree(const TreeGraph& graph) {
    std::vector<TreeFinding> findings;
    if (graph.nodes.empty()) return findings;
    find_selves(graph, findings);
    find_unreached(graph, findings);
    find_unensured(graph, findings);
    return findings;
}

}  // namespace caribou::behavior
