#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "behavior/tree_graph.hpp"

namespace caribou::behavior {

/// A defect found in a tree before it has run, which makes the tree useless or dangerous.
struct TreeFinding {
    std::size_t node;
    std::string message;

    friend bool operator==(const TreeFinding&, const TreeFinding&) = default;
};

/// Checks a whole tree without running it. Returns all findings:
///
/// | finding                | when                                                                  |
/// |------------------------|-----------------------------------------------------------------------|
/// | lists itself           | a delegation to itself is always refused                              |
/// | is never reached       | no path leads to it from the base; if there are several below each    |
/// |                        | other, only the topmost is reported                                   |
/// | needs `x`              | a path from the base to it contains no behavior that ensures `x`; the |
/// |                        | path is shown                                                         |
std::vector<TreeFinding> check_tree(const TreeGraph& graph);

}  // namespace caribou::behavior
