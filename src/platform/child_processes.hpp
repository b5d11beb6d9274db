#pragma once

#include <sys/types.h>

#include <vector>

namespace caribou {

/// Returns the living children of this process, as /proc lists them.
std::vector<pid_t> child_processes();

}  // namespace caribou
