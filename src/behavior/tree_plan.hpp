#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "behavior/parameter.hpp"

namespace caribou::behavior {

/// A child of an entry, with the parameters that its parent's class has for each child.
struct ChildPlan {
    std::size_t entry = 0;  ///< its number in the plan
    ParameterValues values{};

    friend bool operator==(const ChildPlan&, const ChildPlan&) = default;
};

/// One instance of a behavior as a file describes it.
struct TreeEntry {
    std::string id{};  ///< of an anonymous one: its parent's id, a slash, its class: `robot/wait#2`
    std::string class_name{};
    ParameterValues values{};  ///< as given; what was left out is not here
    std::vector<ChildPlan> children{};

    bool is_anonymous() const { return id.contains('/'); }
    friend bool operator==(const TreeEntry&, const TreeEntry&) = default;
};

/// A whole tree as files describe it: a value to compare, to write, to draw, and to build behaviors
/// from as often as one likes.
struct TreePlan {
    std::vector<TreeEntry> entries{};  ///< in the order of declaration: the numbers of the behaviors
    std::size_t base = 0;

    friend bool operator==(const TreePlan&, const TreePlan&) = default;
};

}  // namespace caribou::behavior
