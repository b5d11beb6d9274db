#pragma once

#include <string>
#include <variant>

namespace caribou::behavior {

/// What a fact or an event holds.
using Value = std::variant<bool, double, std::string>;

/// As people write it: true, 3.5, docked.
std::string to_string(const Value& value);

}  // namespace caribou::behavior
