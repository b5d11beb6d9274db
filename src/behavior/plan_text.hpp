#pragma once

#include <span>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// What a file says of an entry beside its id, class and children, for people:
/// `wants battery < 20`, `action wait 5s`, `times 3`. One text for each parameter.
std::vector<std::string> describe_entry(const TreeEntry& entry, const ClassRegistry& classes);

/// The same for a child's place in its parent: `weight 2, cooldown 90s`. Empty: nothing is said.
std::string describe_place(const TreeEntry& parent, const ChildPlan& child, const ClassRegistry& classes);

}  // namespace caribou::behavior
