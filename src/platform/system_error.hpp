#pragma once

// Private to platform.

#include <string>

#include "base/result.hpp"

namespace caribou {

/// Returns the system's message for an errno value, for use within a sentence: `connection refused`.
std::string system_words(int number);

/// Returns the code for an errno value.
Code system_code(int number);

/// Returns `{what}: {system message}` with the code for the errno value.
Error system_error(const std::string& what, int number);

}  // namespace caribou
