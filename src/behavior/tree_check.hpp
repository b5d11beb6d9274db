#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "behavior/tree_graph.hpp"

namespace caribou::behavior {

/// Something that makes a tree useless or dangerous before it ran for a single tick.
struct TreeFinding {
    std::size_t node;
    std::string message;

    friend bool operator==(const TreeFinding&, const TreeFinding&) = default;
};

/// Looks at a whole tree without running it.
///
/// | finding                | when                                                              |
/// |------------------------|-------------------------------------------------------------------|
/// | lists itself           | a delegation to itself is always refused                          |
/// | is never reached       | no way leads to it from the base; of several below each other the |
/// |                        | topmost is named                                                  |
/// | needs `x`              | a way from the base to it passes nobody who ensures `x`; the way  |
/// |                        | is shown                                                          |
std::vector<TreeFinding> check_tree(const TreeGraph& graph);

}  // namespace caribou::behavior
