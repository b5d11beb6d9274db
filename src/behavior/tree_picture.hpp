#pragma once

#include <string>

#include "behavior/class_registry.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

// Renderings of a plan that was loaded with these classes.

/// Returns an outline for a terminal.
std::string outline_of(const TreePlan& plan, const ClassRegistry& classes);
/// Returns a graph in the language of Graphviz.
std::string dot_of(const TreePlan& plan, const ClassRegistry& classes);
/// Returns a self-contained SVG picture, with parents to the left of their children.
std::string svg_of(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
