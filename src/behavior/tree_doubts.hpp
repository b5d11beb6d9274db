#pragma once

#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree_check.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Returns warnings about a plan that can be built and run, but hardly as its author intended:
///
/// | warning                | when                                                                    |
/// |------------------------|-------------------------------------------------------------------------|
/// | can never run          | a child of higher priority always wants control in all circumstances in |
/// |                        | which this one may be activated                                         |
/// | can never run          | a child before it in a queue, sequence or fallback never ends           |
/// | ends when `x` fails    | the base is a repeat without end, and its child may fail                |
/// | can never start        | its child is active whenever it is, because every path from the base    |
/// |                        | to it leads through that child                                          |
/// | nothing ensures `x`    | an action needs it (ActionClass::should_be_ensured), and on a way from  |
/// |                        | the base to it no behavior ensures it                                   |
/// | is not allowed while   | it does an action that needs a flag (ActionClass::needs_flag), or comes |
/// |                        | in turn after one (ActionClass::next_needs_flag), and does not have it  |
/// | does not ensure `x`    | `ensures` is given for a class that does nothing to ensure it           |
///
/// Nothing is assumed about classes with a question of their own (AskedChildren::unknown).
std::vector<TreeFinding> find_doubts(const TreePlan& plan, const ClassRegistry& classes);

}  // namespace caribou::behavior
