#pragma once

#include <sys/types.h>

#include "rounds.hpp"

namespace caribou::bench {

/// Returns the CPU time used by a process.
Seconds cpu_time(pid_t process);

}  // namespace caribou::bench
