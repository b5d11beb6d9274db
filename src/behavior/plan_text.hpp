#pragma once

#include <span>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Returns a description for people of the keys of an entry other than its id, class and children: `wants
/// battery < 20`, `action wait 5s`, `times 3`. One text per parameter.
std::vector<std::string> describe_entry(const TreeEntry& entry, const ClassRegistry& classes);

/// Returns the same for the parameters that a parent has for a child, such as `weight 2, cooldown 90s`, or an
/// empty text if there are none.
std::string describe_place(const TreeEntry& parent, const ChildPlan& child, const ClassRegistry& classes);

}  // namespace caribou::behavior
