#pragma once

#include <cstddef>

#include "base/result.hpp"

namespace caribou {

/// Raises the soft limit of open descriptors (RLIMIT_NOFILE) to the hard limit and returns it. A broker calls
/// it at its start.
Result<std::size_t> raise_descriptor_limit();

}  // namespace caribou
