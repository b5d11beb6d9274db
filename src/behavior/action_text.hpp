#pragma once

#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "behavior/action.hpp"
#include "behavior/class_registry.hpp"

namespace caribou::behavior {

/// Returns the action that a JSON text describes as in a file of a tree: `{"go_to": 1, "y": 2}`, `"look"`.
/// Fails with all errors. Facts that only a tree declares are unknown here.
Result<std::unique_ptr<Action>> action_from(std::string_view json, const ClassRegistry& classes);

}  // namespace caribou::behavior
