#pragma once

#include <string>

#include "behavior/class_registry.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

// A plan that was loaded with these classes, as people like to look at it.

/// Lines and branches for a terminal.
std::string outline_of(const TreePlan& plan, const ClassRegistry& classes);
/// The language of Graphviz.
std::string dot_of(const TreePlan& plan, const ClassRegistry& classes);
/// A picture that needs nothing else: parents to the left of their children.
std::string svg_of(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
