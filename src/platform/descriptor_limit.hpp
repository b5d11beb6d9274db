#pragma once

#include <cstddef>

#include "base/result.hpp"

namespace caribou {

/// Lets this process open as many descriptors as the system administrator allows (the soft
/// RLIMIT_NOFILE becomes the hard one) and returns that number. A broker calls it at its start.
Result<std::size_t> raise_descriptor_limit();

}  // namespace caribou
