#pragma once

#include "behavior/class_registry.hpp"
#include "behavior/fact_changes.hpp"

namespace caribou::behavior {

/// Registers the condition `{"expr": "battery < 20 and not charging"}` and the action
/// `{"compute": "rounds * 2", "to": "score"}`. `facts` are those of the runner; both arguments must outlive
/// the conditions and actions.
void register_expressions(ClassRegistry& registry, const Facts& facts, FactChanges& changes);

}  // namespace caribou::behavior
