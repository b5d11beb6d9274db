#pragma once

#include <string>

#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Returns the plan as one file in the format that load_tree reads; reading it with the same classes gives
/// the same plan. Children are written inside their parents where the order of declaration allows it.
std::string write_tree(const TreePlan& plan);

}  // namespace caribou::behavior
