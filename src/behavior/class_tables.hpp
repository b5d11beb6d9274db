#pragma once

#include <string>

#include "behavior/class_registry.hpp"

namespace caribou::behavior {

/// Returns all classes of a registry with their parameters as Markdown, for `caribou tree classes` and for
/// docs/formats/behavior-tree.md, which a test compares with it.
std::string class_tables(const ClassRegistry& classes);

}  // namespace caribou::behavior
