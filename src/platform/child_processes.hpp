#pragma once

#include <sys/types.h>

#include <vector>

// Private to platform.

namespace caribou {

/// Returns the children of a process, including ended ones that are not reaped yet; none if it does not
/// exist.
std::vector<pid_t> child_processes(pid_t process);

/// Returns whether a child of this process has ended and can be reaped.
bool has_child_ended(pid_t child);

}  // namespace caribou
