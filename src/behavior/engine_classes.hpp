#pragma once

#include <string_view>

#include "behavior/class_registry.hpp"

namespace caribou::behavior {

/// The condition that always holds. A dispatcher with it among its `wants` does not ask its children.
inline constexpr std::string_view always_word = "always";

/// Registers all classes of the engine for use in files: its dispatchers and plain behaviors, its conditions
/// and its actions. They are listed in docs/formats/behavior-tree.md.
void register_engine_classes(ClassRegistry& registry);

// Parts of register_engine_classes().
void register_engine_dispatchers(ClassRegistry& registry);
void register_engine_outcomes(ClassRegistry& registry);
void register_state_machine(ClassRegistry& registry);
void register_engine_conditions(ClassRegistry& registry);
void register_engine_actions(ClassRegistry& registry);

}  // namespace caribou::behavior
