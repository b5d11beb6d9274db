#pragma once

// Private to platform.

#include <string>

#include "base/result.hpp"

namespace caribou {

/// The system's words for an errno value as they stand inside a sentence: `connection refused`.
std::string system_words(int number);

/// The code that fits an errno value.
Code system_code(int number);

/// `{what}: {the system's words}`, with the code that fits.
Error system_error(const std::string& what, int number);

}  // namespace caribou
