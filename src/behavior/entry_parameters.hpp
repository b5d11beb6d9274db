#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/arguments.hpp"
#include "behavior/behavior.hpp"
#include "behavior/parameter.hpp"

namespace caribou::behavior {

/// What every entry of a file may say, whatever its class: conditions and operation modifiers.
std::vector<Parameter> entry_parameters();

/// Whether a key of an entry is one of these, or `class`, `id`, `children` or `note`.
bool is_entry_key(std::string_view key);

/// Declares what the arguments say on top of what the behavior has declared itself: flags replace,
/// lists are added to.
Result<void> declare_entry(Behavior& behavior, const Arguments& arguments);

}  // namespace caribou::behavior
