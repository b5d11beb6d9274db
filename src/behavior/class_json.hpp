#pragma once

#include <string>

#include "behavior/class_registry.hpp"

namespace caribou::behavior {

/// Returns all classes of a registry, with their parameters, facts, requirements and sensor modes, as JSON
/// for tools such as editors: `caribou tree classes --json`.
std::string class_json(const ClassRegistry& classes);

}  // namespace caribou::behavior
