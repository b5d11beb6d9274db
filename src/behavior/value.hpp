#pragma once

#include <string>
#include <variant>

namespace caribou::behavior {

/// The value of a fact or an event.
using Value = std::variant<bool, double, std::string>;

/// Returns the value as people write it: true, 3.5, docked.
std::string to_string(const Value& value);

}  // namespace caribou::behavior
