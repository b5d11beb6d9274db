#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/arguments.hpp"
#include "behavior/behavior.hpp"
#include "behavior/parameter.hpp"

namespace caribou::behavior {

/// Returns the parameters that every entry of a file may have, regardless of its class: conditions and
/// operation modifiers.
std::vector<Parameter> entry_parameters();

/// Returns whether a key of an entry is one of these, or `class`, `id`, `children` or `note`.
bool is_entry_key(std::string_view key);

/// Declares the arguments in addition to the behavior's own declarations: flags are replaced, lists are
/// extended.
Result<void> declare_entry(Behavior& behavior, const Arguments& arguments);

}  // namespace caribou::behavior
