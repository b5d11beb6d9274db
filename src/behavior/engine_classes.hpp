#pragma once

#include "behavior/class_registry.hpp"

namespace caribou::behavior {

/// Everything that the engine brings along, for files to name: its dispatchers and plain behaviors,
/// its conditions and its actions. docs/formats/behavior-tree.md lists them.
void register_engine_classes(ClassRegistry& registry);

// The parts of the above.
void register_engine_dispatchers(ClassRegistry& registry);
void register_state_machine(ClassRegistry& registry);
void register_engine_conditions(ClassRegistry& registry);
void register_engine_actions(ClassRegistry& registry);

}  // namespace caribou::behavior
