#pragma once

#include "base/result.hpp"

namespace caribou {

/// Keeps everything that this process touches in memory from now on, so that it does not wait for the disk
/// when the machine is short of memory. Only without a limit of locked memory (RLIMIT_MEMLOCK), which is
/// lifted if that is permitted: later allocations would fail at a limit. An image that replaces this one has
/// to call it again.
Result<void> lock_memory();

}  // namespace caribou
